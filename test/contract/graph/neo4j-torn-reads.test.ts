/** Neo4j reads property by property, so a subject that is written meanwhile could come in parts of two versions. */
import { expect } from 'chai';
import { type OpenGraph, openNeo4jGraph } from '../../support/adapters/graphs.js';
import { associated, association, memory, memoryId, stored, updated } from '../../support/fixtures/memories.js';
import { isServerWanted } from '../../support/servers/servers.js';

/** Written until one of the two is reached: a loaded machine takes seconds for a hundred. */
const VERSIONS = 300;
const WRITING_MS = 20_000;
const READERS = 6;

if (isServerWanted('neo4j')) {
  describe('Neo4j torn reads', () => {
    let graph: OpenGraph;
    before(async () => (graph = await openNeo4jGraph()));
    after(() => graph.close());

    it('reads each memory and association in one version while both are written', async () => {
      const link = association(1, 2);
      let isWriting = true;
      const write = async (): Promise<void> => {
        await graph.writer.apply([stored(memory(1)), stored(memory(2))]);
        const until = performance.now() + WRITING_MS;
        for (let at = 2; at < VERSIONS && performance.now() < until; at += 1)
          await graph.writer.apply([
            updated(memory(1, { content: 'x'.repeat(at), importance: at / VERSIONS }), at),
            associated({ ...link, properties: { reason: 'y'.repeat(at) }, strength: at / VERSIONS }, at),
          ]);
        isWriting = false;
      };
      const torn: unknown[] = [];
      const read = async (): Promise<void> => {
        while (isWriting) {
          const [[found], [edge]] = await Promise.all([
            graph.reader.memories([memoryId(1)]),
            graph.reader.associations([link]),
          ]);
          if (found && found.version > 1 && found.memory.content.length !== found.version) torn.push(found);
          if (edge && String(edge.association.properties['reason']).length !== edge.version) torn.push(edge);
        }
      };
      await Promise.all([write(), ...Array.from({ length: READERS }, read)]);
      expect(torn).to.deep.equal([]);
    });
  });
}
