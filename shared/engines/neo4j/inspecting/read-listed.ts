/**
 * Reads a page of a listing, and counts its memories by type and tag. A filter that the full-text index can answer with
 * few memories sorts these; any other filter is tested along the index of the order.
 */
import { type ListSort, tagFiltersOf } from '../../../contract/filter.js';
import { LIST_FACET_TAGS, LIST_FACETS_LIMIT, LIST_SCAN_LIMIT } from '../../../contract/limits.js';
import type { Memory } from '../../../contract/memory.js';
import {
  type ListFacets,
  type ListFilter,
  type ListOrder,
  type ListPosition,
  listPosition,
} from '../../../ports/graph-inspector.js';
import { wholeTagKey } from '../../../text/tags.js';
import type { Neo4j, Row, Statement } from '../neo4j.js';
import { readCompleteRows } from '../reading/read-memories.js';
import { loadedMemory, MEMORY_FIELDS } from '../schema/memory-node.js';
import { rankAfter, rankOf } from '../schema/rank.js';
import { ARE_TAGS_ADMITTED, tagParameters } from '../searching/filter-conditions.js';
import { MAX_CLAUSES, tagClauses, typeClause, wordClauses } from '../searching/full-text-query.js';

/**
 * Up to this number of matches of the full-text index are all sorted. Beyond the first, the index of the order fills a
 * page soon; counts need more memories, and to test as many along that index takes longer than to sort these.
 */
const NARROW = { page: 2_000, facets: LIST_SCAN_LIMIT } as const;
/** Before and after every time and rank. */
const [START, END] = ['', '~'] as const;

/**
 * `isUnique`: no two memories have the same value. The index of any other order continues with the id, so that a page
 * among many equal values begins in the middle of them: an import gives many memories one time.
 */
const PROPERTIES: Readonly<Record<ListSort, Ordered>> = {
  newest: { property: 'timestamp', isAscending: false, isUnique: false },
  oldest: { property: 'timestamp', isAscending: true, isUnique: false },
  importance: { property: 'rank', isAscending: true, isUnique: true },
  updated: { property: 'updated_at', isAscending: false, isUnique: false },
};
type Ordered = { readonly property: string; readonly isAscending: boolean; readonly isUnique: boolean };

const IS_LISTED = `m.timestamp >= $given.since AND m.timestamp < $given.until AND m.importance >= $given.minImportance
    AND NOT m.type IN $given.excludedTypes AND ($given.types IS NULL OR m.type IN $given.types) AND ${ARE_TAGS_ADMITTED}
    AND all(word IN $given.words WHERE ' ' + m.terms + ' ' CONTAINS word OR ' ' + m.tag_terms + ' ' CONTAINS word)`;

/** The property is projected before ORDER BY: otherwise Neo4j sorts all memories although the index has the order. */
function textsOf({ property, isAscending, isUnique }: Ordered) {
  const key = `m.${property}`;
  const [after, from, to, direction] = isAscending ? ['>', '>=', '<=', ''] : ['<', '<=', '>=', ' DESC'];
  const order = `ORDER BY key${direction}, id${direction}`;
  const isIdAfter = `m.id ${after} $given.id`;
  const [indexed, hasId] = isUnique
    ? [`MATCH (m:Memory) USING INDEX m:Memory(${property})`, '']
    : [`MATCH (m:Memory) USING INDEX m:Memory(${property}, id)`, " AND m.id > ''"];
  const isBeforeEnd = `${key} ${to} $given.to${hasId}`;
  const ordered = `WITH m, ${key} AS key, m.id AS id ${order}`;
  const range = `${indexed} WHERE ${key} ${after} $given.from AND ${isBeforeEnd} ${ordered}`;
  const equal = `${indexed} WHERE ${key} = $given.from AND ${isIdAfter} ${ordered}`;
  const walkedOf = (one: string) => `${one} LIMIT toInteger($given.scan) WITH m, key, id WHERE ${IS_LISTED}`;
  /** Without the order by id, which reads and sorts all memories of one time, so any of those at the end count. */
  const inOrder = `WITH m, ${key} AS key ORDER BY key${direction}`;
  const counted = `${indexed} WHERE ${key} ${from} $given.from AND ${isBeforeEnd} ${inOrder}`;
  /** The last memory that a bounded walk reads. */
  const scannedOf = (one: string) => `${one} SKIP toInteger($given.scan) - 1 LIMIT 1
  RETURN m.id AS id, m.importance AS importance, m.timestamp AS timestamp, m.updated_at AS updated_at`;
  const walked = walkedOf(range);
  const matching = `CALL db.index.fulltext.queryNodes('memory_terms', $given.query, {limit: toInteger($given.most)}) YIELD node AS m`;
  const searched = `${matching} WITH m, ${key} AS key, m.id AS id WHERE ${key} ${from} $given.from
    AND (${key} ${after} $given.from OR ${isIdAfter}) AND ${IS_LISTED}`;
  const page = `WITH m, key, id ${order} LIMIT toInteger($given.limit) RETURN ${MEMORY_FIELDS} AS memory ${order}`;
  // Subqueries would group by type, tag and date of one list of these memories, which Neo4j makes part of each key: of
  // 5,000 memories with 6,500 tags they need more than 512 MB.
  // In one row of joined texts, because the driver takes 90 ms to read 5,000 lists, and 15 ms to read as many texts.
  // A memory that was deleted meanwhile is null, which `collect` leaves out.
  const facets = `WITH m WHERE ${IS_LISTED}
  WITH reduce(joined = m.type + $given.separator + left(m.timestamp, 10), tag IN m.tags | joined + $given.separator + tag) AS one
  LIMIT toInteger($given.limit) RETURN collect(one) AS listed`;
  return {
    searched: { page: `${searched} ${page}`, facets: `${matching} ${inOrder} ${facets}` },
    walked: {
      page: `${walked} ${page}`,
      facets: `${counted} LIMIT toInteger($given.scan) ${facets}`,
      scanned: scannedOf(range),
      isScanned: `${counted} SKIP toInteger($given.scan) - 1 LIMIT 1 RETURN key`,
    },
    /** The memories with the first value, behind the id; null when that value belongs to one memory. */
    equal: isUnique ? null : { page: `${walkedOf(equal)} ${page}`, scanned: scannedOf(equal) },
  };
}

const TEXTS: Readonly<Record<ListSort, ReturnType<typeof textsOf>>> = {
  newest: textsOf(PROPERTIES.newest),
  oldest: textsOf(PROPERTIES.oldest),
  importance: textsOf(PROPERTIES.importance),
  updated: textsOf(PROPERTIES.updated),
};

type Request = ListOrder & { readonly after: ListPosition | null };
type Page = Request & { readonly limit: number };

export async function readListed(
  neo4j: Pick<Neo4j, 'read'>,
  { limit, ...request }: Page,
): Promise<{ readonly memories: readonly Memory[]; readonly next: ListPosition | null }> {
  const { found, end } = await select(neo4j, request, limit + 1);
  const memories = found.slice(0, limit);
  const last = memories.at(-1);
  return { memories, next: found.length > limit && last !== undefined ? listPosition(request.sort, last) : end };
}

type Selected = {
  readonly found: readonly Memory[];
  /** Where the bounded reading ended before it had found enough; null at the end of the listing. */
  readonly end: ListPosition | null;
};

/** The first `wanted` memories of the listing. */
async function select(neo4j: Pick<Neo4j, 'read'>, request: Request, wanted: number): Promise<Selected> {
  const { searched, walked, equal } = TEXTS[request.sort];
  const given = parametersOf(request);
  const query = await narrowQuery(neo4j, request.filter, NARROW.page);
  const read = async (text: string, more: object): Promise<readonly Memory[]> =>
    (await readCompleteRows(neo4j, { text, given: { ...given, ...more } })).map(
      (row) => loadedMemory(row['memory'] as Row).memory,
    );
  if (query !== null)
    return { found: await read(searched.page, { query, most: NARROW.page, limit: wanted }), end: null };
  const found: Memory[] = [];
  /** Of the values that a listing begins with, only a cursor and `since` can be those of a listed memory. */
  const beginsInside = request.after !== null || (request.sort === 'oldest' && request.filter.since !== null);
  for (const range of equal !== null && beginsInside ? [equal, walked] : [walked]) {
    found.push(...(await read(range.page, { limit: wanted - found.length })));
    if (found.length >= wanted) break;
    const end = await endOfWalk(neo4j, { text: range.scanned, given }, request.sort);
    if (end !== null) return { found, end };
  }
  return { found, end: null };
}

/** No text of a memory contains it. */
const SEPARATOR = '\0';

export async function readFacets(neo4j: Pick<Neo4j, 'read'>, order: ListOrder): Promise<ListFacets> {
  const { searched, walked } = TEXTS[order.sort];
  const given = parametersOf({ ...order, after: null });
  const query = await narrowQuery(neo4j, order.filter, NARROW.facets);
  const limit = LIST_FACETS_LIMIT + 1;
  const [row] = await neo4j.read(
    query === null
      ? { text: walked.facets, given: { ...given, limit } }
      : { text: searched.facets, given: { ...given, limit, query, most: NARROW.facets } },
  );
  const listed = row?.['listed'] as readonly string[];
  const counted = listed.slice(0, LIST_FACETS_LIMIT).map((joined) => {
    const [type = '', date = '', ...tags] = joined.split(SEPARATOR);
    return { type, date, tags };
  });
  const types = frequencies(counted.map(({ type }) => [type]));
  const tags = frequencies(counted.map((memory) => new Set(memory.tags.map(wholeTagKey))));
  const dates = frequencies(counted.map(({ date }) => [date]));
  return {
    types: types.map(([type, count]) => ({ type, count })),
    tags: tags.slice(0, LIST_FACET_TAGS).map(([tag, count]) => ({ tag, count })),
    dates: dates.map(([date, count]) => ({ date, count })).sort((one, other) => (one.date < other.date ? -1 : 1)),
    counted: counted.length,
    isPartial:
      listed.length > counted.length ||
      (query === null && (await neo4j.read({ text: walked.isScanned, given })).length > 0),
  };
}

/** Of the most memories first, then by name. */
function frequencies(named: readonly Iterable<string>[]): readonly (readonly [name: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const names of named) for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([one, many], [other, more]) => more - many || (one < other ? -1 : 1));
}

/** Null when the walk reached the end of its range. */
async function endOfWalk(neo4j: Pick<Neo4j, 'read'>, scanned: Statement, sort: ListSort): Promise<ListPosition | null> {
  const [row] = await neo4j.read(scanned);
  // RETURN names the properties of every memory.
  return row === undefined ? null : listPosition(sort, row as Parameters<typeof listPosition>[1]);
}

const COUNT = `CALL db.index.fulltext.queryNodes('memory_terms', $given.query, {limit: toInteger($given.most)}) YIELD node
  RETURN count(*) AS matches`;

/** The query of the full-text index for words, tags and types; null when it matches more than `most` memories. */
async function narrowQuery(neo4j: Pick<Neo4j, 'read'>, filter: ListFilter, most: number): Promise<string | null> {
  const clauses = [
    ...tagFiltersOf(filter).flatMap(tagClauses),
    ...(filter.types === null || filter.types.length === 0 ? [] : [typeClause(filter.types)]),
    ...filter.terms.map((term) => `+(${wordClauses([term]).join(' ')})`),
  ];
  const others = (filter.types?.length ?? 0) + 2 * filter.terms.length;
  const wanted = tagFiltersOf(filter).reduce((sum, { values }) => sum + values.length, others);
  if (clauses.length === 0 || wanted > MAX_CLAUSES) return null;
  const query = clauses.join(' ');
  const [row] = await neo4j.read({ text: COUNT, given: { query, most: most + 1 } });
  return Number(row?.['matches']) > most ? null : query;
}

function parametersOf({ filter, sort, after }: Request) {
  const { types, excludedTypes, since, until, minImportance, terms } = filter;
  const id = after?.at(-1) ?? START;
  const [value = null, timestamp = ''] = after ?? [];
  const place =
    sort === 'importance' && value !== null
      ? rankOf({ importance: Number(value), timestamp: String(timestamp), id: String(id) as Memory['id'] })
      : value;
  const [first, last] = {
    newest: [until ?? END, since ?? START],
    oldest: [since ?? START, until ?? END],
    importance: [START, rankAfter(minImportance)],
    updated: [END, START],
  }[sort] as [string, string];
  return {
    from: place ?? first,
    to: last,
    // Without a place, a memory at the bound itself is part of the page.
    id,
    ...tagParameters(filter),
    types,
    excludedTypes,
    since: since ?? START,
    until: until ?? END,
    minImportance,
    words: terms.map((term) => ` ${term} `),
    scan: LIST_SCAN_LIMIT,
    separator: SEPARATOR,
  };
}
