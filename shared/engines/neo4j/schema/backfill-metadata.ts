/** A migration step that indexes the metadata of memories stored by a release without that index. A second run changes nothing. */
import type { Memory } from '../../../contract/memory.js';
import type { Neo4j } from '../neo4j.js';
import { searchedMetadata } from './memory-node.js';

const PAGE = 500;

export async function backfillMetadata(neo4j: Neo4j): Promise<void> {
  for (let after = ''; ;) {
    const page = await neo4j.read({ text: METADATA_PAGE, given: { after, limit: PAGE } });
    const rows = page.map((row) => ({
      id: row['id'],
      metadata: row['metadata'],
      set: searchedMetadata(JSON.parse(String(row['metadata'])) as Memory['metadata']),
    }));
    const described = rows.filter(({ set }) => set.metadata_words !== undefined);
    if (described.length > 0) await neo4j.write([{ text: DESCRIBE, given: { rows: described } }]);
    if (page.length < PAGE) return;
    after = String(page.at(-1)?.['id']);
  }
}

const METADATA_PAGE = `MATCH (m:Subject) USING INDEX m:Subject(id) WHERE m.id > $given.after AND m:Memory
  WITH m.id AS id, m.metadata AS metadata ORDER BY id LIMIT toInteger($given.limit)
  RETURN id, metadata`;

/** The rows are in the order of locks. A concurrent write indexes its own memory, so this step skips memories that changed or are gone. */
const DESCRIBE = `UNWIND $given.rows AS row
  MATCH (m:Subject {id: row.id}) USING INDEX SEEK m:Subject(id)
  SET m.locked = true
  WITH m, row WHERE m.metadata = row.metadata AND m.metadata_words IS NULL
  SET m += row.set
  FOREACH (word IN row.set.metadata_words | CREATE (m)-[:DESCRIBED {word: word, rank: m.rank}]->(m))`;
