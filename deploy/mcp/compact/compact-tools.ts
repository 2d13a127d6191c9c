/**
 * The tools of the compact profile, for models that pay for each token: the names of the compatible profile, at most
 * five arguments each, and answers with text alone. Each calls the compatible tool, which checks the values.
 */
import { BY_TAG_LIMIT } from '../../../shared/contract/limits.js';
import { type Clock, systemClock } from '../../../shared/kernel/clock.js';
import { failureAnswer } from '../failure-answer.js';
import { createTool, failed, type ObjectSchema, type Tool, type ToolAnswer, type ToolCall } from '../tool.js';
import { createAssociateMemoriesTool } from '../tools/associate-memories.js';
import { createCheckDatabaseHealthTool } from '../tools/check-database-health.js';
import { createDeleteMemoryTool } from '../tools/delete-memory.js';
import { type Fields, fieldsOf, numberAt, quoted } from '../tools/fields.js';
import { createRecallMemoryTool } from '../tools/recall-memory.js';
import { createStoreMemoryTool } from '../tools/store-memory.js';
import { createUpdateMemoryTool } from '../tools/update-memory.js';
import { presentInWords } from './in-words.js';

export const COMPACT_INSTRUCTIONS = `Palimpsest is your long-term memory: it outlives this conversation, and other agents of the same user read it.
Call recall_memory before you answer or begin something. Call store_memory when a decision, preference, correction or solution will matter later: one fact each, never passwords or keys. When a fact has changed, store the new one with supersedes_memory_id.`;

type Argument = string | { readonly [keyword: string]: unknown };
type Short = {
  readonly description: string;
  /** By name: the description, or keywords that replace those of the compatible tool. */
  readonly takes: Readonly<Record<string, Argument>>;
  readonly required?: readonly string[];
  readonly run?: (input: Fields, call: ToolCall) => Promise<ToolAnswer>;
};

export function createCompactTools({
  tokenBudget,
  clock = systemClock,
}: {
  readonly tokenBudget: number;
  readonly clock?: Clock;
}): readonly Tool[] {
  const deletion = createDeleteMemoryTool();
  return [
    shortened(createStoreMemoryTool({ clock }), {
      description: 'Store one fact that will matter later, understandable alone, best in 150 to 300 characters.',
      takes: {
        content: 'At most 2,000 characters.',
        tags: 'Project, topic, kind.',
        type: 'Decision, Pattern, Preference, Style, Habit, Insight or Context.',
        importance: '0.9 for decisions, 0.5 by default.',
        supersedes_memory_id: 'The memory that this one replaces.',
      },
      required: ['content'],
    }),
    shortened(createRecallMemoryTool({ tokenBudget, presentation: presentInWords(clock) }), {
      description:
        'Find memories by meaning, words, tags and time, best first. Without query: the most important, or the newest of time_query.',
      takes: {
        query: 'In plain words.',
        tags: 'Only memories with one of them.',
        time_query: 'Such as "last 7 days" or "since march".',
        limit: 'Default 5.',
        memory_id: 'This one memory whole, with its associations.',
      },
    }),
    shortened(createAssociateMemoriesTool(), {
      description: 'Link two memories, so that recall finds one by the other.',
      takes: {
        memory1_id: 'Cause, earlier, old, chosen, part.',
        memory2_id: 'Effect, later, new, rejected, whole.',
        type: { description: 'From the first to the second.' },
        strength: '0.9 certain, 0.5 by default.',
      },
      required: ['memory1_id', 'memory2_id', 'type'],
    }),
    shortened(createUpdateMemoryTool(), {
      description: 'Correct a memory. What you leave out stays. For a changed fact use store_memory.',
      takes: { memory_id: '', content: '', tags: 'Replaces all tags.', importance: '', type: '' },
      required: ['memory_id'],
    }),
    shortened(deletion, {
      description: 'Delete permanently: one memory by memory_id, or all with one of the tags.',
      takes: {
        memory_id: '',
        tags: 'Whole tags.',
        confirm: { type: 'boolean', description: `Needed for more than ${UNCONFIRMED} memories.` },
      },
      run: async ({ confirm, ...given }, call) => {
        const tags = readTags(given);
        const refusal = confirm === true || tags === null ? null : await askFirst(tags, call);
        return refusal ?? deletion.call(given, call);
      },
    }),
    shortened(createCheckDatabaseHealthTool(), {
      description: 'Whether the service works, when other tools fail.',
      takes: {},
    }),
  ];
}

function shortened(tool: Tool, { description, takes, required = [], run = tool.call }: Short): Tool {
  const properties = Object.entries(takes).map(([name, argument]) => {
    const own = typeof argument === 'string' ? { description: argument } : argument;
    const { description: words, ...schema }: Argument & object = { ...tool.inputSchema.properties[name], ...own };
    return [name, { ...schema, ...(words !== '' && { description: words }) }] as const;
  });
  const inputSchema: ObjectSchema = {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
  const { call: _call, ...kept } = tool;
  return createTool<Fields>({ ...kept, description, inputSchema, isTextOnly: true, run });
}

/** So many memories are deleted by tags without a question. */
const UNCONFIRMED = 10;

/** Null for arguments that the compatible tool refuses, or that name one memory. */
function readTags({ memory_id: id, tags }: Fields): readonly string[] | null {
  const names = (tags ?? []) as readonly string[]; // the schema has checked it
  return id !== undefined || names.length === 0 || names.some((tag) => tag.trim() === '') ? null : names;
}

/** Null when few memories have one of the tags. */
async function askFirst(tags: readonly string[], { client, signal }: ToolCall): Promise<ToolAnswer | null> {
  const answer = await client.call('listByTag', { query: { tags, limit: BY_TAG_LIMIT }, signal });
  if (answer.kind !== 'answered') return failureAnswer(answer);
  const fields = fieldsOf(answer);
  const found = numberAt(fields, 'count') ?? 0;
  if (found <= UNCONFIRMED) return null;
  const count = fields['has_more'] === true ? `More than ${found}` : String(found);
  return failed(
    `${count} memories have one of the tags ${quoted(tags)}. Nothing was deleted: to delete all of them, call again with confirm: true.`,
  );
}
