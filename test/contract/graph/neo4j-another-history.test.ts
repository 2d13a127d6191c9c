/** The reader keeps memories by version. A graph that is rebuilt for another history has other memories in it. */
import { expect } from 'chai';
import { createNeo4jGraphReader } from '../../../shared/engines/neo4j/neo4j-graph-reader.js';
import { createNeo4jGraphWriter } from '../../../shared/engines/neo4j/neo4j-graph-writer.js';
import { memory, memoryId, stored } from '../../support/fixtures/memories.js';
import { openEmptyNeo4j, wipeNeo4j } from '../../support/servers/neo4j.js';
import { isServerWanted } from '../../support/servers/servers.js';

if (isServerWanted('neo4j')) {
  describe('Neo4j graph of another history', () => {
    it('shows no memory of the former history in the same version', async () => {
      const neo4j = await openEmptyNeo4j();
      try {
        const reader = createNeo4jGraphReader({ neo4j });
        const writer = createNeo4jGraphWriter({ neo4j });
        const contents = async () =>
          (await reader.lineages([memoryId(1)], 5)).memories.map(({ version, memory: { content } }) => [
            version,
            content,
          ]);
        for (const content of ['of the former history', 'of the present history']) {
          await wipeNeo4j(neo4j);
          await writer.apply([stored(memory(1, { content }))]);
          for (let repeat = 0; repeat < 2; repeat += 1) expect(await contents()).to.deep.equal([[1, content]]);
        }
      } finally {
        await neo4j.close();
      }
    });
  });
}
