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
import type { Neo4j, Row, Statement } from '../neo4j.js';
import { readCompleteRows } from '../reading/read-memories.js';
import { loadedMemory, MEMORY_FIELDS } from '../schema/memory-node.js';
import { rankAfter, rankOf } from '../schema/rank.js';
import { ARE_TAGS_ADMITTED, tagParameters } from '../searching/filter-conditions.js';
import { MAX_CLAUSES, tagClauses, typeClause, wordClauses } from '../searching/full-text-query.js';

/** Up to this number of matches are all sorted; beyond it, the index of the order fills a page soon. */
const NARROW = 2_000;
/** Before and after every time and rank. */
const [START, END] = ['', '~'] as const;

/**
 * `hasIds`: the index continues with the id in the same direction, so that a page among many equal values begins in the
 * middle of them. Many memories have one time of update after an import.
 */
const PROPERTIES: Readonly<Record<ListSort, Ordered>> = {
  newest: { property: 'timestamp', isAscending: false, hasIds: false },
  oldest: { property: 'timestamp', isAscending: true, hasIds: false },
  importance: { property: 'rank', isAscending: true, hasIds: false },
  updated: { property: 'updated_at', isAscending: false, hasIds: true },
};
type Ordered = { readonly property: string; readonly isAscending: boolean; readonly hasIds: boolean };

const IS_LISTED = `m.timestamp >= $given.since AND m.timestamp < $given.until AND m.importance >= $given.minImportance
    AND NOT m.type IN $given.excludedTypes AND ($given.types IS NULL OR m.type IN $given.types) AND ${ARE_TAGS_ADMITTED}
    AND all(word IN $given.words WHERE ' ' + m.terms + ' ' CONTAINS word OR ' ' + m.tag_terms + ' ' CONTAINS word)`;

/** The property is projected before ORDER BY: otherwise Neo4j sorts all memories although the index has the order. */
function textsOf({ property, isAscending, hasIds }: Ordered) {
  const key = `m.${property}`;
  const [after, from, to] = isAscending ? ['>', '>=', '<='] : ['<', '<=', '>='];
  const order = `ORDER BY key${isAscending ? '' : ' DESC'}, id${hasIds ? ' DESC' : ''}`;
  const isIdAfter = `m.id ${hasIds ? '<' : '>'} $given.id`;
  const isAfter = `(${key} ${after} $given.from OR ${isIdAfter})`;
  const indexed = `MATCH (m:Memory) USING INDEX m:Memory(${property}${hasIds ? ', id' : ''})`;
  const ordered = `WITH m, ${key} AS key, m.id AS id ${order}`;
  const range = hasIds
    ? `${indexed} WHERE ${key} ${after} $given.from AND ${key} ${to} $given.to AND m.id > '' ${ordered}`
    : `${indexed} WHERE ${key} ${from} $given.from AND ${key} ${to} $given.to AND ${isAfter} ${ordered}`;
  const equal = `${indexed} WHERE ${key} = $given.from AND ${isIdAfter} ${ordered}`;
  const walkedOf = (one: string) => `${one} LIMIT toInteger($given.scan) WITH m, key, id WHERE ${IS_LISTED}`;
  /** The last memory that a bounded walk reads. */
  const scannedOf = (one: string) => `${one} SKIP toInteger($given.scan) - 1 LIMIT 1
  RETURN m.id AS id, m.importance AS importance, m.timestamp AS timestamp, m.updated_at AS updated_at`;
  const walked = walkedOf(range);
  const searched = `CALL db.index.fulltext.queryNodes('memory_terms', $given.query, {limit: toInteger($given.most)}) YIELD node AS m
  WITH m, ${key} AS key, m.id AS id WHERE ${key} ${from} $given.from AND ${isAfter} AND ${IS_LISTED}`;
  const page = `WITH m, key, id ${order} LIMIT toInteger($given.limit) RETURN ${MEMORY_FIELDS} AS memory ${order}`;
  const counts = `WITH m, key, id ${order} LIMIT toInteger($given.limit)
  WITH collect(m) AS found WITH size(found) AS total, found[..${LIST_FACETS_LIMIT}] AS found
  RETURN total,
    COLLECT { UNWIND found AS m WITH m.type AS type, count(*) AS count RETURN {type: type, count: count} } AS types,
    COLLECT { UNWIND found AS m MATCH (m)-[r:TAGGED]->(m) WITH r.tag AS tag, count(*) AS count ORDER BY count DESC, tag LIMIT ${LIST_FACET_TAGS}
      RETURN {tag: tag, count: count} } AS tags,
    COLLECT { UNWIND found AS m WITH left(m.timestamp, 10) AS date, count(*) AS count RETURN {date: date, count: count} } AS dates`;
  return {
    searched: { page: `${searched} ${page}`, counts: `${searched} ${counts}` },
    walked: { page: `${walked} ${page}`, counts: `${walked} ${counts}`, scanned: scannedOf(range) },
    /** The memories with the value of the cursor, before the others; null when one range has both. */
    equal: hasIds ? { page: `${walkedOf(equal)} ${page}`, scanned: scannedOf(equal) } : null,
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
  const query = await narrowQuery(neo4j, request.filter);
  const read = async (text: string, more: object): Promise<readonly Memory[]> =>
    (await readCompleteRows(neo4j, { text, given: { ...given, ...more } })).map(
      (row) => loadedMemory(row['memory'] as Row).memory,
    );
  if (query !== null) return { found: await read(searched.page, { query, most: NARROW, limit: wanted }), end: null };
  const found: Memory[] = [];
  for (const range of request.after === null || equal === null ? [walked] : [equal, walked]) {
    found.push(...(await read(range.page, { limit: wanted - found.length })));
    if (found.length >= wanted) break;
    const end = await endOfWalk(neo4j, { text: range.scanned, given }, request.sort);
    if (end !== null) return { found, end };
  }
  return { found, end: null };
}

export async function readFacets(neo4j: Pick<Neo4j, 'read'>, order: ListOrder): Promise<ListFacets> {
  const { searched, walked } = TEXTS[order.sort];
  const given = parametersOf({ ...order, after: null });
  const query = await narrowQuery(neo4j, order.filter);
  const limit = LIST_FACETS_LIMIT + 1;
  const [row] = await neo4j.read(
    query === null
      ? { text: walked.counts, given: { ...given, limit } }
      : { text: searched.counts, given: { ...given, limit, query, most: NARROW } },
  );
  const total = Number(row?.['total'] ?? 0);
  return {
    types: [...((row?.['types'] ?? []) as ListFacets['types'])].sort(
      (one, other) => other.count - one.count || (one.type < other.type ? -1 : 1),
    ),
    tags: (row?.['tags'] ?? []) as ListFacets['tags'],
    dates: [...((row?.['dates'] ?? []) as ListFacets['dates'])].sort((one, other) => (one.date < other.date ? -1 : 1)),
    counted: Math.min(total, LIST_FACETS_LIMIT),
    isPartial:
      total > LIST_FACETS_LIMIT ||
      (query === null && (await endOfWalk(neo4j, { text: walked.scanned, given }, order.sort)) !== null),
  };
}

/** Null when the walk reached the end of its range. */
async function endOfWalk(neo4j: Pick<Neo4j, 'read'>, scanned: Statement, sort: ListSort): Promise<ListPosition | null> {
  const [row] = await neo4j.read(scanned);
  // RETURN names the properties of every memory.
  return row === undefined ? null : listPosition(sort, row as Parameters<typeof listPosition>[1]);
}

const COUNT = `CALL db.index.fulltext.queryNodes('memory_terms', $given.query, {limit: toInteger($given.most)}) YIELD node
  RETURN count(*) AS matches`;

/** The query of the full-text index for words, tags and types; null when it matches more than NARROW memories. */
async function narrowQuery(neo4j: Pick<Neo4j, 'read'>, filter: ListFilter): Promise<string | null> {
  const clauses = [
    ...tagFiltersOf(filter).flatMap(tagClauses),
    ...(filter.types === null || filter.types.length === 0 ? [] : [typeClause(filter.types)]),
    ...filter.terms.map((term) => `+(${wordClauses([term]).join(' ')})`),
  ];
  const others = (filter.types?.length ?? 0) + 2 * filter.terms.length;
  const wanted = tagFiltersOf(filter).reduce((sum, { values }) => sum + values.length, others);
  if (clauses.length === 0 || wanted > MAX_CLAUSES) return null;
  const query = clauses.join(' ');
  const [row] = await neo4j.read({ text: COUNT, given: { query, most: NARROW + 1 } });
  return Number(row?.['matches']) > NARROW ? null : query;
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
  };
}
