/**
 * Chooses the route for the arguments (one memory, a listing or a ranked recall) and its parameters: only those that
 * the caller supplied.
 */
import type { CallOf } from '../../../shared/client/client.js';
import type { MemoryId } from '../../../shared/contract/memory.js';
import { byTagQuery } from '../../../shared/contract/queries.js';
import { parseMemoryId } from '../../../shared/kernel/memory-id.js';
import { RANKED_PARAMETERS, type RecallInput } from './input-schema.js';

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
  const allowed = [
    ...unsupported
      .filter((name) => name in NEUTRAL_VALUES)
      .map((name) => `${name} may only be ${String(NEUTRAL_VALUES[name])}`),
  ];
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

/**
 * Writes the embedding with the digits that the caller gave: 32-bit floats would take twice the digits. Replaces commas
 * in `queries`, because the service splits a query at a comma.
 */
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
