/** Sends the request of a recall plan and reads the memories of its answer. Fields without a schema pass unchanged. */
import type { FromSchema } from 'json-schema-to-ts';
import type { ClientAnswer } from '../../../shared/client/client.js';
import { count, flag, number, text, textList } from '../../../shared/contract/reply-parts.js';
import { createValidator } from '../../../shared/kernel/validation/validate.js';
import { failureAnswer } from '../failure-answer.js';
import { failed, type ToolAnswer, type ToolCall } from '../tool.js';
import { memoryFields, resultFields } from './output-schema.js';
import type { RecallPlan } from './plan-recall.js';

const memory = {
  type: 'object',
  required: ['content'],
  properties: { id: text, timestamp: text, ...memoryFields },
} as const;
const relation = {
  type: 'object',
  properties: {
    type: text,
    direction: text,
    strength: number,
    from: text,
    memory: { type: 'object', properties: { id: text, summary: text, content: text } },
  },
} as const;
const relations = { type: 'array', items: relation } as const;
const foundMemory = {
  type: 'object',
  required: ['id', 'memory'],
  properties: { id: text, memory, relations, related_to: relations, ...resultFields },
} as const;
const identified = { ...memory, required: ['id', 'content'] } as const;

const about = {
  dedup_removed: count,
  time_window: { type: 'object', properties: { start: text, end: text } },
  expansion: { type: 'object', properties: { expanded_count: count } },
  entity_expansion: { type: 'object', properties: { expanded_count: count, entities_found: textList } },
  state_filter: { type: 'object', properties: { suppressed_count: count, replacement_count: count } },
  score_filter: { type: 'object', properties: { filtered_count: count } },
  nothing_fits: flag,
  recency_bias: text,
  scope_fallback: flag,
  budget: { type: 'object', properties: { max_tokens: count, omitted: textList } },
  degraded: {
    type: 'array',
    items: { type: 'object', required: ['source', 'reason'], properties: { source: text, reason: text } },
  },
  consistency: { type: 'object', properties: { position: count, index: flag, graph: flag } },
  explain: {
    type: 'object',
    properties: {
      memory_id: text,
      position: count,
      cut: { type: 'object', properties: { at: text, reason: text, successor: text, rules: textList } },
    },
  },
  has_more: flag,
  limit: count,
  offset: count,
} as const;

const ranked = {
  type: 'object',
  required: ['results'],
  properties: { ...about, results: { type: 'array', items: foundMemory } },
} as const;
const page = {
  type: 'object',
  required: ['memories', 'has_more'],
  properties: { ...about, memories: { type: 'array', items: identified } },
} as const;
const single = {
  type: 'object',
  required: ['memory'],
  properties: { memory: { ...identified, properties: { ...memory.properties, relations } } },
} as const;

export type ReadMemory = FromSchema<typeof memory>;
export type ReadRelation = FromSchema<typeof relation>;
export type FoundMemory = FromSchema<typeof foundMemory>;
/** Every field of an answer except its memories. */
export type About = FromSchema<{ readonly type: 'object'; readonly properties: typeof about }>;

export type Found = {
  readonly mode: 'ranked' | 'enumeration' | 'id_fetch';
  readonly memories: readonly FoundMemory[];
  readonly about: About;
};

const validateRanked = createValidator(ranked);
const validatePage = createValidator(page);
const validateSingle = createValidator(single);

/** Null if the body is not an answer of GET /recall. */
export function readRanked(body: unknown): Found | null {
  const read = validateRanked(body);
  if (!read.ok) return null;
  const { results, count: _, status: __, ...rest } = read.value;
  return { mode: 'ranked', memories: results, about: rest };
}

/** Null if the body is not an answer of GET /memory/by-tag. */
export function readPage(body: unknown): Found | null {
  const read = validatePage(body);
  if (!read.ok) return null;
  const { memories, count: _, status: __, ...rest } = read.value;
  return { mode: 'enumeration', memories: memories.map((one) => ({ id: one.id, memory: one })), about: rest };
}

/** Null if the body is not an answer of GET /memory/:id. */
export function readSingle(body: unknown): Found | null {
  const read = validateSingle(body);
  if (!read.ok) return null;
  const { relations: related = [], ...rest } = read.value.memory;
  return {
    mode: 'id_fetch',
    memories: [{ id: rest.id, memory: rest, relations: related, match_type: 'direct', final_score: 1 }],
    about: {},
  };
}

/** The result of a fetch by an id that no memory has. */
export const NOTHING_FETCHED: Found = { mode: 'id_fetch', memories: [], about: {} };

export type Fetched =
  { readonly isFound: true; readonly found: Found } | { readonly isFound: false; readonly answer: ToolAnswer };

type SendablePlan = Exclude<RecallPlan, { readonly mode: 'refused' }>;

export async function fetchFound(plan: SendablePlan, { client, signal }: ToolCall): Promise<Fetched> {
  switch (plan.mode) {
    case 'ranked':
      return interpret(await client.call('recall', { query: plan.query, signal }), readRanked);
    case 'enumeration':
      return interpret(await client.call('listByTag', { query: plan.query, signal }), readPage);
    case 'id_fetch': {
      const answer = await client.call('getMemory', { params: { id: plan.id }, signal });
      return answer.kind === 'refused' && answer.status === 404
        ? { isFound: true, found: NOTHING_FETCHED }
        : interpret(answer, readSingle);
    }
    default:
      return plan satisfies never;
  }
}

const ADVICE =
  'something else may listen at its address. Try once more; if that does not help, ask the user to check the address of the service';

function interpret(answer: ClientAnswer, reader: (body: unknown) => Found | null): Fetched {
  if (answer.kind !== 'answered') return { isFound: false, answer: failureAnswer(answer) };
  const found = reader(answer.body);
  if (found !== null) return { isFound: true, found };
  return { isFound: false, answer: failed(`The service answered ${answer.status}, but not with memories: ${ADVICE}`) };
}
