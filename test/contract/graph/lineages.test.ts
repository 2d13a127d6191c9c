/** Reads of every graph by lineages: an adapter may keep memories between two reads, so each read follows a change. */
import { expect } from 'chai';
import { createNeo4jGraphReader } from '../../../shared/engines/neo4j/neo4j-graph-reader.js';
import { createNeo4jGraphWriter } from '../../../shared/engines/neo4j/neo4j-graph-writer.js';
import { createSqliteGraphMark } from '../../../shared/engines/sqlite/graph/sqlite-graph-mark.js';
import { createSqliteGraphReader } from '../../../shared/engines/sqlite/graph/sqlite-graph-reader.js';
import { createSqliteGraphWriter } from '../../../shared/engines/sqlite/graph/sqlite-graph-writer.js';
import { graphMigrations } from '../../../shared/engines/sqlite/schema/graph.js';
import { GRAPH_ADAPTERS, type OpenGraph } from '../../support/adapters/graphs.js';
import { openTemporaryHost } from '../../support/adapters/sqlite.js';
import {
  associated,
  association,
  day,
  deleted,
  erased,
  memory,
  memoryId,
  stored,
  superseded,
  updated,
} from '../../support/fixtures/memories.js';
import { openEmptyNeo4j } from '../../support/servers/neo4j.js';
import { isServerWanted } from '../../support/servers/servers.js';

const WITHOUT_POSITIONS = 'MATCH (m:Memory) REMOVE m.position';

type LineageGraph = Pick<OpenGraph, 'reader' | 'writer' | 'close'>;

const MARKED_SQLITE = {
  name: 'sqlite with a mark',
  open: async (): Promise<LineageGraph> => {
    const { host, remove } = await openTemporaryHost([graphMigrations]);
    await createSqliteGraphMark({ host }).begin({ journalId: memoryId(1), position: 0, eventId: null });
    const reader = createSqliteGraphReader({ host });
    return { reader, writer: createSqliteGraphWriter({ host }), close: remove };
  },
};

for (const adapter of [...GRAPH_ADAPTERS, MARKED_SQLITE]) {
  describe(`graph: ${adapter.name}`, () => {
    let graph: LineageGraph;
    beforeEach(async () => (graph = await adapter.open()));
    afterEach(() => graph.close());

    const read = async (...numbers: number[]) => {
      const { memories, successions, successors } = await graph.reader.lineages(numbers.map(memoryId), 5);
      return {
        memories: memories.map(
          ({ memory: { content, last_accessed }, version }) => `${version} ${content} ${last_accessed}`,
        ),
        successions: successions.map(({ source, target }) => `${Number(source.slice(-4))}>${Number(target.slice(-4))}`),
        successors: successors.map(({ memory: { id } }) => Number(id.slice(-4))),
      };
    };
    const shown = (
      number: number,
      { version = 1, content = memory(number).content, at = memory(number).last_accessed } = {},
    ) => `${version} ${content} ${at}`;

    describe('lineages', () => {
      it('show each change since an earlier read', async () => {
        await graph.writer.apply([stored(memory(1)), stored(memory(2))]);
        for (let repeat = 0; repeat < 2; repeat++)
          expect((await read(2, 1, 3)).memories).to.deep.equal([shown(2), shown(1)]);

        await graph.writer.apply([updated(memory(1, { content: 'changed' }), 2, ['content'])]);
        expect((await read(1, 2)).memories).to.deep.equal([shown(1, { version: 2, content: 'changed' }), shown(2)]);

        await graph.writer.recordAccess([memoryId(2)], day(20));
        expect((await read(1, 2)).memories[1]).to.equal(shown(2, { at: day(20) }));

        await graph.writer.apply([deleted(1, 3)]);
        expect((await read(1, 2)).memories).to.have.length(1);
        await graph.writer.apply([stored(memory(1, { content: 'again' }), 4)]);
        expect((await read(1)).memories).to.deep.equal([shown(1, { version: 4, content: 'again' })]);
      });

      it('show each new succession, and its end', async () => {
        await graph.writer.apply([1, 2, 3, 4].map((number) => stored(memory(number))));
        expect(await read(1, 2)).to.deep.include({ successions: [], successors: [] });
        await graph.writer.apply([superseded(1, 3), associated(association(2, 4))]);
        for (let repeat = 0; repeat < 2; repeat++)
          expect(await read(1, 2)).to.deep.include({ successions: ['1>3'], successors: [3] });
        await graph.writer.apply([superseded(3, 4, 'EVOLVED_INTO')]);
        expect((await read(1)).successions.sort()).to.deep.equal(['1>3', '3>4']);
        await graph.writer.apply([deleted(3, 2)]);
        expect(await read(1, 2)).to.deep.include({ successions: [], successors: [] });
      });

      it('are empty without ids', async () => {
        expect(await read()).to.deep.equal({ memories: [], successions: [], successors: [] });
      });

      it('are never older than an ended write during reads', async () => {
        await graph.writer.apply([stored(memory(1))]);
        let version = 1;
        const readers = Array.from({ length: 4 }, async () => {
          while (version < 30) {
            const least = version;
            const { memories } = await graph.reader.lineages([memoryId(1)], 5);
            expect(memories[0]?.version).to.be.at.least(least);
          }
        });
        while (version < 30) {
          const next = version + 1;
          await graph.writer.apply([updated(memory(1, { content: `version ${next}` }), next, ['content'])]);
          version = next;
        }
        await Promise.all(readers);
      });
    });
  });
}

if (isServerWanted('neo4j')) {
  describe('Neo4j lineages', () => {
    it('show a position that a replay adds to a memory of an earlier release', async () => {
      const neo4j = await openEmptyNeo4j();
      try {
        const [reader, writer] = [createNeo4jGraphReader({ neo4j }), createNeo4jGraphWriter({ neo4j })];
        const position = async () => (await reader.lineages([memoryId(1)], 5)).memories[0]?.position;
        const event = { ...stored(memory(1)), position: 7 };
        await writer.apply([event]);
        await neo4j.write([{ text: WITHOUT_POSITIONS, given: {} }]);
        expect([await position(), await position()]).to.deep.equal([0, 0]);
        await writer.apply([erased(event)]);
        expect(await position()).to.equal(7);
      } finally {
        await neo4j.close();
      }
    });
  });
}
