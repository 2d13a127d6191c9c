/** Which way to the memories the arguments ask for, and what is sent on it: only what the caller supplied. Pure. */
import type { MemoryId } from '../../../shared/contract/memory.js';
import { byTagQuery, recallQuery } from '../../../shared/contract/queries.js';
import { parseMemoryId } from '../../../shared/kernel/memory-id.js';
import type { CallOf } from '../../../shared/client/client.js';
import type { RecallInput } from './input-schema.js';

export type RecallPlan =
  /** `unused`: arguments that say nothing here. */
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

/** Models fill in blank texts and empty lists for what they have nothing to say of. */
function supplied(input: RecallInput): Arguments {
  const { explain, ...others } = input;
  const entries = Object.entries(explain === false ? others : input).map(([name, value]): [string, unknown] => [
    name,
    Array.isArray(value) ? value.filter(isSaying) : value,
  ]);
  return Object.fromEntries(entries.filter(([, value]) => isSaying(value)));
}

function isSaying(value: unknown): boolean {
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

const LISTED: ReadonlySet<string> = new Set(byTagQuery.map(({ name }) => name));
/** The only values under which listing by tag does what is asked. */
const HARMLESS: Arguments = { tag_match: 'exact', tag_mode: 'any' };

function planEnumeration(given: Arguments): RecallPlan {
  if (given['tags'] === undefined)
    return refused('exhaustive needs tags: name at least one whole tag, or leave exhaustive out for a ranked recall');
  const strange = Object.keys(given).filter(
    (name) => !LISTED.has(name) && (HARMLESS[name] === undefined || given[name] !== HARMLESS[name]),
  );
  if (strange.length === 0) return { mode: 'enumeration', query: pick(given, LISTED) };
  const allowed = [
    ...strange.filter((name) => name in HARMLESS).map((name) => `${name} may only be ${String(HARMLESS[name])}`),
  ];
  return refused(
    `exhaustive lists every memory with one of the tags and ranks nothing, so it does not take ${strange.join(', ')}` +
      `${allowed.length > 0 ? ` (${allowed.join('; ')})` : ''}: leave that out, or leave out exhaustive for a ranked recall`,
  );
}

const RANKED: ReadonlySet<string> = new Set(recallQuery.map(({ name }) => name));

function planRanked({ offset, ...given }: Arguments): RecallPlan {
  // The service does not know it here, and a second page that repeats the first would look like an end.
  if (offset !== undefined && offset !== 0) {
    return refused(
      'offset pages only with exhaustive: true and tags; a ranked recall has no pages, so ask for more with limit or narrow the query',
    );
  }
  return { mode: 'ranked', query: pick({ ...given, ...asText(given) }, RANKED) };
}

/** Numbers as they were given: the service's own 32 bits would be spelled with twice the digits. The service takes a comma in `queries` for the end of one. */
function asText({ embedding, queries }: Arguments): Arguments {
  return {
    ...(Array.isArray(embedding) ? { embedding: embedding.join(',') } : {}),
    ...(Array.isArray(queries) ? { queries: queries.map((query) => String(query).replaceAll(',', ' ')) } : {}),
  };
}

/** The schema has held every value against the parameter whose name it has; the client writes them out as text. */
function pick<Q>(given: Arguments, names: ReadonlySet<string>): Q {
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name))) as Q;
}

function refused(reason: string): RecallPlan {
  return { mode: 'refused', reason };
}
