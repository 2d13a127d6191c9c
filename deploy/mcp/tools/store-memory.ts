/** The tool that stores memories: one, several at once, or one that supersedes another. */
import { systemClock, type Clock } from '../../../shared/kernel/clock.js';
import { createTool, failed, type Tool } from '../tool.js';
import { refuseLargeContent, sizeContent } from './content-size.js';
import { invalidMemoryId, readMemoryId } from './memory-id-argument.js';
import { refuseClashes } from './store-memory/refuse-clashes.js';
import { storeBatch } from './store-memory/store-batch.js';
import { storeOne } from './store-memory/store-one.js';
import { storeInput, storeOutput, type StoreInput } from './store-memory/store-schemas.js';
import { supersedeAnswer } from './store-memory/supersede-answer.js';
import { supersede } from './store-memory/supersede.js';

export function createStoreMemoryTool({ clock = systemClock }: { readonly clock?: Clock } = {}): Tool {
  return createTool<StoreInput>({
    name: 'store_memory',
    title: 'Store Memory',
    description: DESCRIPTION,
    hints: { readOnly: false, destructive: false, idempotent: false },
    inputSchema: storeInput,
    outputSchema: storeOutput,
    run: async (input, call) => {
      const clash = refuseClashes(input);
      if (clash !== null) return failed(`${clash}\nNothing was written.`);
      if (input.memories !== undefined) return storeBatch(input.memories, call);
      const {
        id: _unused,
        memories: _none,
        supersedes_memory_id: superseded,
        supersede_relation: relation = 'INVALIDATED_BY',
        supersede_reason: reason,
        ...fields
      } = input;
      const memory = { ...fields, content: fields.content ?? '' };
      const refusal = refuseLargeContent([sizeContent(memory.content)]);
      if (refusal !== null) return refusal;
      if (superseded === undefined) return storeOne(memory, input, call);
      const oldId = readMemoryId(superseded);
      if (oldId === null) return invalidMemoryId('supersedes_memory_id');
      const order = { oldId, relation, reason, memory };
      return supersedeAnswer(await supersede(order, call, clock), order, input);
    },
  });
}

const DESCRIPTION = `Store what will matter later: a decision and its reason, a preference, a correction, a pattern, how a problem was solved. Recall first, so that you do not store what is known. Never store passwords, keys or tokens.

- content: one fact that can be understood alone, in 150 to 300 characters; more than 2,000 are refused.
- type: Decision, Pattern, Preference, Style, Habit, Insight or Context; found from the content when left out. tags: project, topic, kind. importance: 0.9 for decisions, 0.7 for what is useful often, 0.5 otherwise.
- memories: several at once, each with its own content, type, tags, importance, confidence, metadata, timestamp; all are stored or none. Nothing else goes beside it.
- supersedes_memory_id: when a fact has changed, store the new one with the id of the old. The old one is kept for the history and recall shows the new one in its place. supersede_relation INVALIDATED_BY (default) or EVOLVED_INTO; supersede_reason says why. If it stops in the middle, the answer says what was done: call again with the same arguments to go on.

Answers with memory_id: use it to associate, update, delete or supersede the memory.

Examples: {"content": "Chose PostgreSQL over MongoDB for project-x: billing needs transactions.", "type": "Decision", "tags": ["project-x", "database"], "importance": 0.9} · {"content": "The team deploys on Tuesdays now.", "supersedes_memory_id": "<id>", "supersede_reason": "moved from Fridays"} · {"memories": [{"content": "..."}, {"content": "..."}]}`;
