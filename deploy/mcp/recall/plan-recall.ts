/** The arguments of `recall_memory`, and the request that they ask for: a memory, a listing or a ranked recall. */
import type { CallOf } from '../../../shared/client/client.js';
import { BY_TAG_LIMIT } from '../../../shared/contract/limits.js';
import type { MemoryId } from '../../../shared/contract/memory.js';
import { byTagQuery, type QueryParameter } from '../../../shared/contract/queries.js';
import { recallQuery } from '../../../shared/contract/queries/recall-query.js';
import { schemaOf } from '../../../shared/http/openapi/describe-parameters.js';
import { parseMemoryId } from '../../../shared/kernel/memory-id.js';
import type { Tolerance } from '../../../shared/kernel/validation/schema-node.js';
import type { ObjectSchema } from '../tool.js';

export const FORMATS = ['text', 'items', 'detailed', 'json'] as const;
export type Format = (typeof FORMATS)[number];

/** Arguments that have passed the schema. */
export type RecallInput = Omit<Query<'recall'>, 'embedding' | 'explain' | 'detail'> & {
  readonly memory_id?: string;
  readonly exhaustive?: boolean;
  readonly embedding?: readonly number[];
  readonly explain?: string | boolean;
  readonly offset?: number;
  readonly format?: Format;
};

/** Without `detail`: what a model reads is chosen by `format`, and made from whole results. */
export const RANKED_PARAMETERS: readonly QueryParameter[] = recallQuery.filter(({ name }) => name !== 'detail');

/**
 * Parameters with another form here than in the service: most have a narrower range, because the service clamps values
 * instead of rejecting them.
 */
const CHANGED: Readonly<Record<string, object>> = {
  limit: {
    maximum: BY_TAG_LIMIT,
    description:
      'How many memories, 1 to 200; default 5, with exhaustive 20. The service ranks at most RECALL_MAX_LIMIT (100).',
  },
  per_query_limit: { maximum: 50 },
  consistent_with: { type: ['string', 'integer'], minimum: 0 },
  explain: {
    type: ['string', 'boolean'],
    description:
      'The id of a memory: says why it is, or is not, among the results. true: the evidence for each result, in format json.',
  },
};

const ACCEPTED: Readonly<Record<QueryParameter['kind'], Tolerance | null>> = {
  text: null,
  flag: null,
  integer: 'numeric',
  number: 'numeric',
  choice: 'any_case',
  repeated: 'string_or_list',
  list: 'commas_or_list',
  vector: 'numbers_or_text',
  position: null,
};

export const recallInput: ObjectSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    memory_id: {
      type: 'string',
      description:
        'Fetches this one memory whole, with its metadata and relations; nothing is searched, and of the other arguments only format is used.',
    },
    exhaustive: {
      type: 'boolean',
      description:
        'true lists every memory with one of the tags, page by page (limit, offset), in every state, unranked. Needs tags; takes nothing that ranks.',
    },
    ...Object.fromEntries(RANKED_PARAMETERS.map((parameter) => [parameter.name, inputOf(parameter)])),
    offset: {
      type: 'integer',
      minimum: 0,
      accepts: 'numeric',
      description:
        'With exhaustive: how many to skip. Go on with the offset that the answer names while has_more is true.',
    },
    format: {
      type: 'string',
      enum: FORMATS,
      accepts: 'any_case',
      description:
        'Default text. items: a content block for each memory. detailed: with type, metadata keys and relations. json: every field, scores included.',
    },
  },
};

function inputOf(parameter: QueryParameter): object {
  const accepted = ACCEPTED[parameter.kind];
  return {
    ...schemaOf(parameter),
    description: parameter.description,
    ...(accepted === null ? {} : { accepts: accepted }),
    ...CHANGED[parameter.name],
  };
}

export type RecallPlan =
  /** `unused`: arguments without an effect on a fetch by id. */
  | { readonly mode: 'id_fetch'; readonly id: MemoryId; readonly unused: readonly string[] }
  | { readonly mode: 'enumeration'; readonly query: Query<'listByTag'> }
  | { readonly mode: 'ranked'; readonly query: Query<'recall'> }
  | { readonly mode: 'refused'; readonly reason: string };

type Query<N extends 'listByTag' | 'recall'> = NonNullable<CallOf<N>['query']>;
type Arguments = Readonly<Record<string, unknown>>;

export function planRecall(input: RecallInput): RecallPlan {
  const { format: _, memory_id: memoryId, exhaustive, ...given } = supplied(input) as RecallInput;
  if (memoryId !== undefined) return planFetch(memoryId, Object.keys(exhaustive ? { exhaustive, ...given } : given));
  return exhaustive ? planEnumeration(given) : planRanked(given);
}

/** Drops blank texts and empty lists: models send them for arguments that they do not use. */
function supplied(input: RecallInput): Arguments {
  const { explain, ...others } = input;
  const entries = Object.entries(explain === false ? others : input).map(([name, value]): [string, unknown] => [
    name,
    Array.isArray(value) ? value.filter(hasValue) : value,
  ]);
  return Object.fromEntries(entries.filter(([, value]) => hasValue(value)));
}

function hasValue(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

function planFetch(text: string, unused: readonly string[]): RecallPlan {
  const id = parseMemoryId(text.trim());
  if (id === null)
    return refused(
      `memory_id must be a valid UUID, and '${text.slice(0, 64)}' is none: take it from a result, or search with query instead`,
    );
  return { mode: 'id_fetch', id, unused };
}

const LISTING_PARAMETERS: ReadonlySet<string> = new Set(byTagQuery.map(({ name }) => name));
/** Listing by tag always works with these values, so an argument may only repeat them. */
const NEUTRAL_VALUES: Arguments = { tag_match: 'exact', tag_mode: 'any' };

function planEnumeration(given: Arguments): RecallPlan {
  if (given['tags'] === undefined)
    return refused('exhaustive needs tags: name at least one whole tag, or leave exhaustive out for a ranked recall');
  const unsupported = Object.keys(given).filter(
    (name) =>
      !LISTING_PARAMETERS.has(name) && (NEUTRAL_VALUES[name] === undefined || given[name] !== NEUTRAL_VALUES[name]),
  );
  if (unsupported.length === 0) return { mode: 'enumeration', query: pick(given, LISTING_PARAMETERS) };
  const allowed = unsupported
    .filter((name) => name in NEUTRAL_VALUES)
    .map((name) => `${name} may only be ${String(NEUTRAL_VALUES[name])}`);
  return refused(
    `exhaustive lists every memory with one of the tags and ranks nothing, so it does not take ${unsupported.join(', ')}` +
      `${allowed.length > 0 ? ` (${allowed.join('; ')})` : ''}: leave that out, or leave out exhaustive for a ranked recall`,
  );
}

const RANKED_NAMES: ReadonlySet<string> = new Set(RANKED_PARAMETERS.map(({ name }) => name));

function planRanked({ offset, ...given }: Arguments): RecallPlan {
  // GET /recall has no offset: the second page would repeat the first, and the model would take it for the end.
  if (offset !== undefined && offset !== 0) {
    return refused(
      'offset pages only with exhaustive: true and tags; a ranked recall has no pages, so ask for more with limit or narrow the query',
    );
  }
  return { mode: 'ranked', query: pick({ ...given, ...asText(given) }, RANKED_NAMES) };
}

/** The embedding with the digits of the caller; `queries` without commas, at which the service splits. */
function asText({ embedding, queries }: Arguments): Arguments {
  return {
    ...(Array.isArray(embedding) ? { embedding: embedding.join(',') } : {}),
    ...(Array.isArray(queries) ? { queries: queries.map((query) => String(query).replaceAll(',', ' ')) } : {}),
  };
}

/** The schema has validated each value against the parameter of the same name; the client serializes the values. */
function pick<Q>(given: Arguments, names: ReadonlySet<string>): Q {
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name))) as Q;
}

function refused(reason: string): RecallPlan {
  return { mode: 'refused', reason };
}
