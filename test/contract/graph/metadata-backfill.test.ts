/** The migration makes the metadata of memories searchable that an earlier release stored without an index. */
import { expect } from 'chai';
import type { MemoryFilter } from '../../../shared/contract/filter.js';
import { createNeo4jGraphReader } from '../../../shared/engines/neo4j/neo4j-graph-reader.js';
import { createNeo4jGraphWriter } from '../../../shared/engines/neo4j/neo4j-graph-writer.js';
import { ensureNeo4jSchema } from '../../../shared/engines/neo4j/schema/schema.js';
import { createSqliteGraphReader } from '../../../shared/engines/sqlite/graph/sqlite-graph-reader.js';
import { createSqliteGraphWriter } from '../../../shared/engines/sqlite/graph/sqlite-graph-writer.js';
import { graphMigrations } from '../../../shared/engines/sqlite/schema/graph.js';
import type { GraphReader } from '../../../shared/ports/graph.js';
import { openTemporaryHost } from '../../support/adapters/sqlite.js';
import { leaveMetadataUnsearched } from '../../support/adapters/sqlite-procedures.js';
import { day, deleted, memory, memoryId, stored, updated } from '../../support/fixtures/memories.js';
import { openEmptyNeo4j } from '../../support/servers/neo4j.js';
import { isServerWanted } from '../../support/servers/servers.js';

const ALL: MemoryFilter = {
  tags: null,
  within: null,
  excludeTags: [],
  start: null,
  end: null,
  excludedTypes: [],
  state: 'unarchived',
  now: day(15),
};
/** More than one page of the backfill. */
const MEMORIES = 1_100;

const numbers = Array.from({ length: MEMORIES }, (_, index) => index + 1);
const events = [
  ...numbers.map((number) => stored(memory(number, { metadata: number % 2 === 0 ? { project: 'Atlas' } : {} }))),
  deleted(2, 2),
];
const expected = numbers.filter((number) => number % 2 === 0 && number !== 2).map(memoryId);
const found = async (reader: GraphReader): Promise<readonly string[]> =>
  (await reader.metadata({ words: ['atlas'], filter: ALL, limit: 1_000 })).map(({ id }) => id);

describe('metadata backfill', () => {
  it('makes old metadata searchable when SQLite is opened again', async () => {
    let temporary = await openTemporaryHost([graphMigrations]);
    try {
      await createSqliteGraphWriter({ host: temporary.host }).apply(events);
      await temporary.host.write(leaveMetadataUnsearched, null);
      temporary = await temporary.reopen();
      const reader = createSqliteGraphReader({ host: temporary.host });
      expect(await found(reader)).to.deep.equal(expected);
      const written = await reader.memories([1, 3, MEMORIES].map(memoryId));
      expect(written.map(({ position }) => position)).to.deep.equal([1, 3, MEMORIES]); // the numbers of their rows
      await createSqliteGraphWriter({ host: temporary.host }).apply([updated(memory(4), 2)]);
      expect(await found(createSqliteGraphReader({ host: temporary.host }))).to.deep.equal(expected.slice(1));
    } finally {
      await temporary.remove();
    }
  });

  if (isServerWanted('neo4j')) {
    it('makes old metadata searchable in Neo4j once', async () => {
      const neo4j = await openEmptyNeo4j();
      try {
        await createNeo4jGraphWriter({ neo4j }).apply(events);
        for (const round of [1, 2]) {
          if (round === 1)
            await neo4j.write([
              {
                text: 'MATCH (m:Memory) REMOVE m.metadata_words, m.metadata_values WITH m MATCH (m)-[d:DESCRIBED]->(m) DELETE d',
                given: {},
              },
            ]);
          await neo4j.write([{ text: 'MATCH (v:GraphSchema) SET v.version = 1', given: {} }]);
          await ensureNeo4jSchema(neo4j);
          expect(await found(createNeo4jGraphReader({ neo4j })), `round ${round}`).to.deep.equal(expected);
        }
        await createNeo4jGraphWriter({ neo4j }).apply([updated(memory(4), 2)]);
        expect(await found(createNeo4jGraphReader({ neo4j }))).to.deep.equal(expected.slice(1));
      } finally {
        await neo4j.close();
      }
    });
  }
});
