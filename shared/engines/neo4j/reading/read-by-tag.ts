/**
 * Reads memories by whole tags from their self-relationships: an index of tag and rank has each tag in the order of the
 * reply.
 */
import type { MemoryId } from '../../../contract/memory.js';
import type { GraphReader, LoadedMemory, Within } from '../../../ports/graph.js';
import { wholeTagKey } from '../../../text/tags.js';
import type { Neo4j, Row } from '../neo4j.js';
import { withinFacet } from '../schema/facets.js';
import { loadedMemory, MEMORY_FIELDS } from '../schema/memory-node.js';
import { RANK_ID_FROM } from '../schema/rank.js';
import { readCompleteRows } from './read-memories.js';

/**
 * Neo4j scans the index in order only if WHERE and ORDER BY use both columns; otherwise it sorts all memories of a tag
 * (540 ms).
 */
const byTag = (condition: string): string => `UNWIND $given.tags AS tag
  CALL (tag) {
    MATCH ()-[r:TAGGED]->() USING INDEX SEEK r:TAGGED(tag, rank) WHERE r.tag = tag AND r.rank > ''${condition}
    RETURN r, r.rank AS rank ORDER BY r.tag, r.rank LIMIT toInteger($given.top)
  }
  WITH DISTINCT startNode(r) AS m, rank ORDER BY rank SKIP toInteger($given.offset) LIMIT toInteger($given.limit)
  RETURN ${MEMORY_FIELDS} AS memory ORDER BY rank`;

/** Without the condition, the index alone answers. */
const WITHIN = ' AND startNode(r).facets CONTAINS $given.within';
export const BY_TAG = byTag('');
const BY_TAG_WITHIN = byTag(WITHIN);

type Page = Parameters<GraphReader['byTag']>[0];

export async function readByTag(
  neo4j: Pick<Neo4j, 'read'>,
  { tags, within = null, offset, limit }: Page,
): Promise<{ readonly memories: readonly LoadedMemory[]; readonly hasMore: boolean }> {
  const oneMore = limit + 1;
  const rows = await readCompleteRows(neo4j, {
    text: within === null ? BY_TAG : BY_TAG_WITHIN,
    given: { tags: keysOf(tags), ...facetOf(within), offset, limit: oneMore, top: offset + oneMore },
  });
  return {
    memories: rows.slice(0, limit).map((row) => loadedMemory(row['memory'] as Row)),
    hasMore: rows.length > limit,
  };
}

/**
 * The rank ends with the id, so the index alone is enough: 40,000 entries of a tag take as long as reading a few nodes.
 */
const idsByTag = (condition: string): string => `UNWIND $given.tags AS tag
  MATCH ()-[r:TAGGED]->() USING INDEX SEEK r:TAGGED(tag, rank) WHERE r.tag = tag AND r.rank > ''${condition}
  WITH DISTINCT substring(r.rank, ${RANK_ID_FROM}) AS id WHERE id > $given.after
  RETURN id ORDER BY id LIMIT toInteger($given.limit)`;
export const IDS_BY_TAG = idsByTag('');
const IDS_BY_TAG_WITHIN = idsByTag(WITHIN);

type IdPage = Parameters<GraphReader['idsByTag']>[0];

export async function readIdsByTag(
  neo4j: Pick<Neo4j, 'read'>,
  { tags, within = null, after, limit }: IdPage,
): Promise<readonly MemoryId[]> {
  const rows = await neo4j.read({
    text: within === null ? IDS_BY_TAG : IDS_BY_TAG_WITHIN,
    given: { tags: keysOf(tags), ...facetOf(within), after, limit },
  });
  return rows.map((row) => row['id'] as MemoryId);
}

function facetOf(within: Within): { readonly within?: string } {
  return within === null ? {} : { within: withinFacet(within) };
}

function keysOf(tags: readonly string[]): string[] {
  return [...new Set(tags.map(wholeTagKey))];
}
