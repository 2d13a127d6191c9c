/**
 * Neo4j that loses its data under a running service: the service rebuilds it from the journal, and no acknowledged
 * memory is lost.
 */
import { expect } from 'chai';
import { RECEIPT_HEADER } from '../../../shared/contract/commands.js';
import type { MemoryId } from '../../../shared/contract/memory.js';
import { connectNeo4j } from '../../../shared/engines/neo4j/connection/connect-neo4j.js';
import type { Neo4j } from '../../../shared/engines/neo4j/neo4j.js';
import { createNeo4jGraphMark } from '../../../shared/engines/neo4j/neo4j-graph-mark.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { until } from '../../support/checks/until.js';
import { startWriter } from '../../support/clients/acknowledged-writes.js';
import { startReceiptReads, type WrittenMemory } from '../../support/clients/receipt-reads.js';
import { areBothWanted } from '../../support/processes/both-compositions.js';
import { type Service, startOnServers } from '../../support/processes/service.js';
import { testNeo4jConfig } from '../../support/servers/neo4j.js';

/** A busy machine needs seconds for what takes one. */
const REBUILD_DEADLINE_MS = 40_000;
const EMPTY = 'MATCH (n) DETACH DELETE n';
const REMOVE = 'MATCH (m:Subject) WHERE m.id IN $given.ids DETACH DELETE m';
const PUT_MARK_BACK = `MATCH (applied:GraphSchema) WHERE applied.position > $given.position
  SET applied.position = toInteger($given.position), applied.event_id = $given.eventId`;

if (areBothWanted()) {
  describe('lost graph', () => {
    let service: Service;
    let neo4j: Neo4j;
    beforeEach(async () => {
      service = await startOnServers();
      neo4j = await connectNeo4j({ config: testNeo4jConfig(), logger: silentLogger });
    });
    afterEach(async () => {
      await neo4j.close();
      await service.close();
    });

    it('is rebuilt under writes after it was emptied', async () => {
      const before = await storeBatch(100);
      const [source, target] = before;
      const positions = await positionsOf(before);
      const written = await storeWritten();
      const associated = await service.request('POST', '/associate', {
        body: { memory1_id: source, memory2_id: target, type: 'RELATES_TO', strength: 0.7 },
      });
      expect(associated.status).to.equal(201);
      const writer = startWriter(service);
      const held = await holdRebuild();
      await neo4j.write([{ text: EMPTY, given: {} }]);
      const reads = startReceiptReads(service, written);
      await until('a change of a lost memory is refused', async () => (await change(before[0])).status === 503);
      await until('reads report that the graph lacks the memory', () => reads.withoutGraph() > 1);
      await held.release();
      await until('the graph is whole', isWhole, REBUILD_DEADLINE_MS);
      await until('reads report the memory', () => reads.withGraph() > 1);
      await reads.stop();
      const acknowledged = await writer.stop();
      expect(acknowledged.length).to.be.above(0);
      await expectAll([...before, ...acknowledged]);
      expect(await positionsOf(before)).to.deep.equal(positions);
      const relations = await service.engines.graph.relations({
        ids: [source as MemoryId], // an id of a reply
        direction: 'outgoing',
        limit: 10,
      });
      expect([...relations.values()].flat().map(({ memory }) => memory.id)).to.deep.equal([target]);
    });

    it('catches up under writes after it was put back', async () => {
      const early = await storeBatch(20);
      const mark = await createNeo4jGraphMark({ neo4j }).read();
      const late = await storeBatch(50);
      const written = await storeWritten();
      const writer = startWriter(service);
      const held = await holdRebuild();
      await neo4j.write([
        { text: REMOVE, given: { ids: [...late, written.id] } },
        { text: PUT_MARK_BACK, given: mark ?? {} },
      ]);
      const reads = startReceiptReads(service, written);
      await until('reads report that the graph lacks the memory', () => reads.withoutGraph() > 1);
      await held.release();
      const isBack = async () => (await service.request('GET', `/memory/${late.at(-1)}`)).status === 200;
      await until('the lost memories are back', async () => (await isBack()) && (await isWhole()), REBUILD_DEADLINE_MS);
      await until('reads report the memory', () => reads.withGraph() > 1);
      await reads.stop();
      await expectAll([...early, ...late, written.id, ...(await writer.stop())]);
    });

    async function storeBatch(count: number): Promise<readonly string[]> {
      const memories = Array.from({ length: count }, (_, index) => ({ content: `Memory ${index} of ${count}` }));
      const { status, body } = await service.request('POST', '/memory/batch', { body: { memories } });
      expect(status).to.equal(201);
      return body.memory_ids;
    }

    /** With a tag that no other memory has. */
    async function storeWritten(): Promise<WrittenMemory> {
      const tag = 'receipt';
      const { headers, body } = await service.request('POST', '/memory', {
        body: { content: 'Read back', tags: [tag] },
      });
      await service.settled(); // the memory is in the index too
      return { id: body.memory_id, tag, receipt: headers.get(RECEIPT_HEADER) ?? '' };
    }

    /** Until its release no rebuild starts. */
    const holdRebuild = () => until('no rebuild runs', () => service.engines.lock.take('rebuild-graph'));

    /** Where the memories are in the order of writing. */
    async function positionsOf(ids: readonly string[]): Promise<readonly number[]> {
      const found = await service.engines.graph.memories(ids as readonly MemoryId[]); // ids of a reply
      return found.map(({ position }) => position);
    }

    const change = (id: string | undefined) =>
      service.request('PATCH', `/memory/${id}`, { body: { importance: Math.random() } });

    async function isWhole(): Promise<boolean> {
      const { body } = await service.request('GET', '/health');
      return body.problems.every((problem: string) => !problem.startsWith('The graph '));
    }

    /** Each memory is readable and can be changed. */
    async function expectAll(ids: readonly string[]): Promise<void> {
      for (const id of ids) expect((await service.request('GET', `/memory/${id}`)).status, id).to.equal(200);
      await until('changes are accepted', async () => (await change(ids[0])).status === 200);
      for (const id of ids.slice(-10)) expect((await change(id)).status, id).to.equal(200);
    }
  });
}
