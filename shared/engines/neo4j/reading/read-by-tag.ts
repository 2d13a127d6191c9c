/**
 * Reads memories by whole tags from their self-relationships: an index of tag and rank has each tag in the order of the
 * reply.
 */
import type { MemoryId } from '../../../contract/memory.js';
import type { LoadedMemory } from '../../../ports/graph.js';
import { wholeTagKey } from '../../../text/tags.js';
import type { Neo4j, Row } from '../neo4j.js';
import { loadedMemory, MEMORY_FIELDS } from '../schema/memory-node.js';
import { RANK_ID_FROM } from '../schema/rank.js';
import { readCompleteRows } from './read-memories.js';

/**
 * Neo4j scans the index in order only if WHERE and ORDER BY use both columns; otherwise it sorts all memories of a tag
 * (540 ms).
 */
export const BY_TAG = `UNWIND $given.tags AS tag
  CALL (tag) {
    MATCH ()-[r:TAGGED]->() USING INDEX SEEK r:TAGGED(tag, rank) WHERE r.tag = tag AND r.rank > ''
    RETURN r, r.rank AS rank ORDER BY r.tag, r.rank LIMIT toInteger($given.top)
  }
  WITH DISTINCT startNode(r) AS m, rank ORDER BY rank SKIP toInteger($given.offset) LIMIT toInteger($given.limit)
  RETURN ${MEMORY_FIELDS} AS memory ORDER BY rank`;

type Page = { readonly tags: readonly string[]; readonly offset: number; readonly limit: number };

export async function readByTag(
  neo4j: Pick<Neo4j, 'read'>,
  { tags, offset, limit }: Page,
): Promise<{ readonly memories: readonly LoadedMemory[]; readonly hasMore: boolean }> {
  const oneMore = limit + 1;
  const rows = await readCompleteRows(neo4j, {
    text: BY_TAG,
    given: { tags: keysOf(tags), offset, limit: oneMore, top: offset + oneMore },
  });
  return {
    memories: rows.slice(0, limit).map((row) => loadedMemory(row['memory'] as Row)),
    hasMore: rows.length > limit,
  };
}

/**
 * The rank ends with the id, so the index alone is enough: 40,000 entries of a tag take as long as reading a few nodes.
 */
export const IDS_BY_TAG = `UNWIND $given.tags AS tag
  MATCH ()-[r:TAGGED]->() USING INDEX SEEK r:TAGGED(tag, rank) WHERE r.tag = tag AND r.rank > ''
  WITH DISTINCT substring(r.rank, ${RANK_ID_FROM}) AS id WHERE id > $given.after
  RETURN id ORDER BY id LIMIT toInteger($given.limit)`;

type IdPage = { readonly tags: readonly string[]; readonly after: string; readonly limit: number };

export async function readIdsByTag(
  neo4j: Pick<Neo4j, 'read'>,
  { tags, after, limit }: IdPage,
): Promise<readonly MemoryId[]> {
  const rows = await neo4j.read({ text: IDS_BY_TAG, given: { tags: keysOf(tags), after, limit } });
  return rows.map((row) => row['id'] as MemoryId);
}

function keysOf(tags: readonly string[]): string[] {
  return [...new Set(tags.map(wholeTagKey))];
}
