/**
 * Reads how often whole tags are used. The index of tag and rank holds all that is needed, so no node is read. A
 * condition on the rank would read its text from each entry, so the counts ask only whether there is one.
 */
import type { MemoryId } from '../../../contract/memory.js';
import type { TagCount, TagUse } from '../../../ports/graph-inspector.js';
import { wholeTagKey } from '../../../text/tags.js';
import type { Neo4j, Row, Statement } from '../neo4j.js';
import { RANK_ID_FROM, RANK_TIME, timeOfRank } from '../schema/rank.js';

const MOST_USED = 'ORDER BY uses DESC, tag LIMIT toInteger($given.limit)';
/** A subquery for each prefix: only within one of them does the order of the index group the tags. */
const COUNTED = `UNWIND $given.prefixes AS prefix CALL (prefix) {
    MATCH ()-[r:TAGGED]->() USING INDEX SEEK r:TAGGED(tag, rank) WHERE r.tag STARTS WITH prefix AND r.rank IS NOT NULL
    WITH r.tag AS tag, count(*) AS uses ${MOST_USED} RETURN tag, uses
  }`;
const COUNTS = `${COUNTED} RETURN tag, uses ${MOST_USED}`;
/** A rank has the complement of the timestamp, so the smallest one belongs to the newest memory. */
const TIMES = `WITH substring(r.rank, ${RANK_TIME.from}, ${RANK_TIME.length}) AS time`;
/** The times of the most used tags alone: to take those of all tags in one pass reads every rank. */
const USES = `${COUNTED} WITH tag, uses ${MOST_USED}
  CALL (tag) {
    MATCH ()-[r:TAGGED]->() USING INDEX SEEK r:TAGGED(tag, rank) WHERE r.tag = tag AND r.rank > ''
    ${TIMES} RETURN max(time) AS first, min(time) AS last
  }
  WITH tag, uses, first, last WHERE first IS NOT NULL RETURN tag, uses, first, last ORDER BY uses DESC, tag`;
/** The time is projected before ORDER BY: otherwise Neo4j sorts all memories although the index has the order. */
const OF_NEWEST = `MATCH (m:Memory) USING INDEX SEEK m:Memory(timestamp) WHERE m.timestamp > ''
  WITH m, m.timestamp AS time ORDER BY time DESC LIMIT toInteger($given.memories)
  MATCH (m)-[r:TAGGED]->(m) RETURN r.tag AS tag, count(*) AS uses`;
const OF_TAGS = `UNWIND $given.tags AS wanted
  MATCH ()-[r:TAGGED]->() USING INDEX SEEK r:TAGGED(tag, rank) WHERE r.tag = wanted AND r.rank > ''
  ${TIMES}, r.tag AS tag
  WITH tag, count(*) AS uses, max(time) AS first, min(time) AS last
  RETURN tag, uses, first, last`;
const MEMORIES = `UNWIND $given.tags AS tag
  CALL (tag) {
    MATCH ()-[r:TAGGED]->() USING INDEX SEEK r:TAGGED(tag, rank) WHERE r.tag = tag AND r.rank > ''
    WITH r.tag AS key, r.rank AS rank ORDER BY key, rank LIMIT toInteger($given.limit)
    RETURN collect(substring(rank, ${RANK_ID_FROM})) AS ids
  }
  RETURN tag, ids`;

type Prefixes = { readonly prefixes: readonly string[]; readonly limit: number };

export async function readTagCounts(neo4j: Pick<Neo4j, 'read'>, wanted: Prefixes): Promise<readonly TagCount[]> {
  return (await neo4j.read(ofPrefixes(COUNTS, wanted))).map(tagCount);
}

export async function readTagUses(neo4j: Pick<Neo4j, 'read'>, wanted: Prefixes): Promise<readonly TagUse[]> {
  return (await neo4j.read(ofPrefixes(USES, wanted))).map(tagUse);
}

function ofPrefixes(text: string, { prefixes, limit }: Prefixes): Statement {
  return { text, given: { prefixes: keysOf(prefixes), limit } };
}

export async function readNewestTagCounts(neo4j: Pick<Neo4j, 'read'>, memories: number): Promise<readonly TagCount[]> {
  return (await neo4j.read({ text: OF_NEWEST, given: { memories } })).map(tagCount).sort(byUses);
}

export async function readTagUsesOf(neo4j: Pick<Neo4j, 'read'>, tags: readonly string[]): Promise<readonly TagUse[]> {
  const uses = (await neo4j.read({ text: OF_TAGS, given: { tags: keysOf(tags) } })).map(tagUse);
  return uses.sort(byUses);
}

function byUses(one: TagCount, other: TagCount): number {
  return other.uses - one.uses || (one.tag < other.tag ? -1 : 1);
}

export async function readMemoriesTagged(
  neo4j: Pick<Neo4j, 'read'>,
  { tags, limit }: { readonly tags: readonly string[]; readonly limit: number },
): Promise<ReadonlyMap<string, readonly MemoryId[]>> {
  const rows = await neo4j.read({ text: MEMORIES, given: { tags: keysOf(tags), limit } });
  return new Map(rows.map(({ tag, ids }) => [String(tag), ids as MemoryId[]]));
}

function keysOf(tags: readonly string[]): string[] {
  return [...new Set(tags.map(wholeTagKey))];
}

function tagCount({ tag, uses }: Row): TagCount {
  return { tag: String(tag), uses: Number(uses) };
}

function tagUse({ first, last, ...row }: Row): TagUse {
  return {
    ...tagCount(row),
    firstAt: timeOfRank(String(first)),
    lastAt: timeOfRank(String(last)),
  };
}
