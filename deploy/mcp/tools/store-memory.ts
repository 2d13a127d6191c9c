/** The tool that stores memories: one memory, a batch, or one memory that supersedes another. */
import { type Clock, systemClock } from '../../../shared/kernel/clock.js';
import { createTool, failed, type Tool } from '../tool.js';
import { argumentsExcept, invalidMemoryId, quoted, readMemoryId, refuseLargeContent, sizeContent } from './fields.js';
import { storeBatch, storeOne } from './store-memory/store.js';
import { type StoreInput, storeInput, storeOutput } from './store-memory/store-schemas.js';
import { supersede } from './store-memory/supersede.js';
import { supersedeAnswer } from './store-memory/supersede-answer.js';

export function createStoreMemoryTool({ clock = systemClock }: { readonly clock?: Clock } = {}): Tool {
  return createTool<StoreInput>({
    name: 'store_memory',
    title: 'Store Memory',
    description: DESCRIPTION,
    hints: { readOnly: false, destructive: false, idempotent: false },
    inputSchema: storeInput,
    outputSchema: storeOutput,
    run: async (input, call) => {
      const clash = findClash(input);
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
      const request = { oldId, relation, reason, memory };
      return supersedeAnswer(await supersede(request, call, clock), request, input);
    },
  });
}

/** Arguments that cannot be combined; the service would silently ignore some. Null when there are none. */
function findClash(input: StoreInput): string | null {
  if (input.memories !== undefined) {
    const others = argumentsExcept(input, ['memories']);
    if (others.length === 0) return null;
    const toItems =
      "give each item its own fields; a memory that supersedes another is stored by a call of its own, without 'memories'";
    return `${quoted(others)} cannot be given together with 'memories': ${toItems}`;
  }
  if (input.content === undefined) return "'content' is required (or 'memories', to store several at once)";
  if (input.supersedes_memory_id !== undefined) return null;
  const ignored = argumentsExcept(
    { supersede_relation: input.supersede_relation, supersede_reason: input.supersede_reason },
    [],
  );
  return ignored.length === 0
    ? null
    : `${quoted(ignored)} needs 'supersedes_memory_id': name the memory that this one replaces, or leave it out`;
}

const DESCRIPTION = `Store what will matter later: a decision and its reason, a preference, a correction, a pattern, how a problem was solved. Recall first, so that you do not store what is known. Never store passwords, keys or tokens.

- content: one fact that can be understood alone, in 150 to 300 characters; more than 2,000 are refused.
- type: Decision, Pattern, Preference, Style, Habit, Insight or Context; found from the content when left out. tags: project, topic, kind. importance: 0.9 for decisions, 0.7 for what is useful often, 0.5 otherwise.
- memories: several at once, each with its own content, type, tags, importance, confidence, metadata, timestamp; all are stored or none. Give no other argument with it.
- supersedes_memory_id: when a fact has changed, store the new one with the id of the old. The old one is kept for the history and recall shows the new one in its place. supersede_relation INVALIDATED_BY (default) or EVOLVED_INTO; supersede_reason says why. If it stops in the middle, the answer says what was done: call again with the same arguments to go on.

Answers with memory_id: use it to associate, update, delete or supersede the memory.

Examples: {"content": "Chose PostgreSQL over MongoDB for project-x: billing needs transactions.", "type": "Decision", "tags": ["project-x", "database"], "importance": 0.9} · {"content": "The team deploys on Tuesdays now.", "supersedes_memory_id": "<id>", "supersede_reason": "moved from Fridays"} · {"memories": [{"content": "..."}, {"content": "..."}]}`;
