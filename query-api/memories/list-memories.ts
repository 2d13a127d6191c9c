/** GET /memories: the memories that a filter admits, page by page, and counts of them. */
import { createHash } from 'node:crypto';
import type { ListSort } from '../../shared/contract/filter.js';
import { LIST_BYTES_LIMIT, QUERY_LENGTH_LIMIT } from '../../shared/contract/limits.js';
import { type Memory, MEMORY_TYPES, memorySchema } from '../../shared/contract/memory.js';
import { LIST_PAGE, LIST_WORDS_LIMIT, type ListQuery } from '../../shared/contract/queries/list-memories.js';
import type { Handler } from '../../shared/http/handler.js';
import { ValidationError } from '../../shared/kernel/errors.js';
import { parseTimestamp } from '../../shared/kernel/timestamps.js';
import {
  type GraphInspector,
  type ListFilter,
  type ListOrder,
  type ListPosition,
  listPosition,
} from '../../shared/ports/graph-inspector.js';
import { analyze } from '../../shared/text/analyzer.js';
import { withoutNeighbours } from '../visible-graph.js';
import { countTimes } from './count-times.js';

const TYPES: readonly string[] = memorySchema.properties.type.enum;
/** Of memories that the service makes for itself. */
const INTERNAL_TYPES = TYPES.filter((type) => !(MEMORY_TYPES as readonly string[]).includes(type));

const NONE = { memories: [], next: null };

type Dependencies = { readonly inspector: Pick<GraphInspector, 'listed' | 'facets' | 'totals'> };

export function createListMemories({ inspector }: Dependencies): Handler<'listMemories'> {
  return async ({ query, context: { tag } }) => {
    const sort = query.sort ?? 'newest';
    const excludedTypes = query.include_internal === true ? [] : INTERNAL_TYPES;
    const filter = filterOf(query, { within: tag, excludedTypes });
    const limit = Math.min(Math.max(0, query.limit ?? LIST_PAGE.default), LIST_PAGE.maximum);
    const after = query.cursor === undefined ? null : positionIn(query.cursor, { filter, sort });
    const [{ memories, next }, facets] = await Promise.all([
      limit === 0 ? NONE : inspector.listed({ filter, sort, after, limit }),
      query.facets === true ? countFacets(inspector, { filter, sort }) : null,
    ]);
    const shown = withinBytes(memories);
    const last = shown.at(-1);
    const isCut = shown.length < memories.length && last !== undefined;
    const position = isCut ? listPosition(sort, last) : next;
    return {
      status: 200,
      body: {
        status: 'success',
        memories: tag === null ? shown : shown.map(withoutNeighbours),
        next_cursor: position && cursorOf(position, { filter, sort }),
        ...(facets && { facets }),
      },
    };
  };
}

function filterOf(
  { text, types, tags, tag_mode: mode = 'any', tag_match: match = 'prefix', since, until, min_importance }: ListQuery,
  given: Pick<ListFilter, 'within' | 'excludedTypes'>,
): ListFilter {
  const unknown = types?.find((type) => !TYPES.includes(type));
  if (unknown !== undefined)
    throw new ValidationError(`'types' has ${JSON.stringify(unknown)}, which is none of ${TYPES.join(', ')}`, 'types');
  return {
    ...given,
    types: types ?? null,
    tags: tags === undefined ? null : { values: tags, mode, match },
    since: timeOf('since', since),
    until: timeOf('until', until),
    minImportance: min_importance ?? 0,
    terms: text === undefined ? [] : termsOf(text),
  };
}

function termsOf(text: string): ListFilter['terms'] {
  if (text.length > QUERY_LENGTH_LIMIT)
    throw new ValidationError(`'text' has at most ${QUERY_LENGTH_LIMIT} characters`, 'text');
  const terms = [...new Set(analyze(text))];
  if (terms.length === 0) throw new ValidationError("'text' has no word: name one, or leave it out", 'text');
  if (terms.length > LIST_WORDS_LIMIT)
    throw new ValidationError(`'text' has at most ${LIST_WORDS_LIMIT} different words`, 'text');
  return terms;
}

function timeOf(name: 'since' | 'until', text: string | undefined): ListFilter['since'] {
  if (text === undefined) return null;
  const timestamp = parseTimestamp(text);
  if (timestamp === null) throw new ValidationError(`'${name}' must be an ISO 8601 time`, name);
  return timestamp;
}

/** At least the first memory, however large it is. */
function withinBytes(memories: readonly Memory[]): readonly Memory[] {
  let bytes = 0;
  const end = memories.findIndex((memory, index) => {
    bytes += Buffer.byteLength(JSON.stringify(memory));
    return index > 0 && bytes > LIST_BYTES_LIMIT;
  });
  return end === -1 ? memories : memories.slice(0, end);
}

/** With types alone as a filter, types and total come from counts that the engine keeps. */
async function countFacets(inspector: Dependencies['inspector'], order: ListOrder) {
  const { types, excludedTypes, tags, within, since, until, minImportance, terms } = order.filter;
  const isUnbounded = [tags, within, since, until].every((part) => part === null) && minImportance === 0;
  const isByType = isUnbounded && terms.length === 0;
  const [{ isPartial, counted, dates, ...counts }, totals] = await Promise.all([
    inspector.facets(order),
    isByType ? inspector.totals() : null,
  ]);
  const facets = { tags: counts.tags, times: countTimes(dates) };
  if (totals === null) return { types: counts.types, ...facets, counted, total: counted, is_partial: isPartial };
  const exact = [...totals.memories]
    .map(([type, count]) => ({ type, count }))
    .filter(({ type }) => !excludedTypes.includes(type) && (types === null || types.includes(type)))
    .sort((one, other) => other.count - one.count || (one.type < other.type ? -1 : 1));
  const total = exact.reduce((sum, { count }) => sum + count, 0);
  return { types: exact, ...facets, counted, total, is_partial: false };
}

/** Characters of the hash in a cursor. */
const HASH_LENGTH = 12;
/** Of a time or an id in a cursor. */
const PLACE_TEXT = /^[\x20-\x7e]{1,64}$/u;

function hashOf(order: ListOrder): string {
  const { within: _ofTheKey, ...filter } = order.filter;
  return createHash('sha256')
    .update(JSON.stringify([order.sort, Object.entries(filter).sort()]))
    .digest('hex')
    .slice(0, HASH_LENGTH);
}

function cursorOf(position: ListPosition, order: ListOrder): string {
  return Buffer.from(JSON.stringify([hashOf(order), ...position])).toString('base64url');
}

function positionIn(cursor: string, order: ListOrder): ListPosition {
  const [hash, ...position] = partsOf(cursor);
  if (typeof hash !== 'string' || !isPosition(position, order.sort))
    throw new ValidationError(
      "'cursor' is no cursor of this list: take it from next_cursor, or leave it out",
      'cursor',
    );
  if (hash !== hashOf(order))
    throw new ValidationError(
      "'cursor' belongs to another filter or sort: leave it out to begin with the first page",
      'cursor',
    );
  return position;
}

function partsOf(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return []; // reported by the caller
  }
}

function isPosition(parts: readonly unknown[], sort: ListSort): parts is ListPosition {
  const texts = sort === 'importance' ? parts.slice(1) : parts;
  return (
    texts.length === 2 &&
    texts.every((part) => typeof part === 'string' && PLACE_TEXT.test(part)) &&
    (sort !== 'importance' || typeof parts[0] === 'number')
  );
}
