/**
 * A Neo4j that is stopped and loaded with an earlier dump while the service runs. The service finds it, rebuilds the
 * graph from the journal, and needs no restart. A client reads from the loaded store at once, although it has written
 * transactions that the store lacks: a bookmark of them would let each call wait until its deadline.
 */
import { rm } from 'node:fs/promises';
import { expect } from 'chai';
import { RECEIPT_HEADER } from '../../shared/contract/commands.js';
import { connectNeo4j } from '../../shared/engines/neo4j/connection/connect-neo4j.js';
import { silentLogger } from '../../shared/kernel/logger.js';
import { differencesOfService } from '../support/checks/compare-deployment.js';
import { until } from '../support/checks/until.js';
import { startWriter } from '../support/clients/acknowledged-writes.js';
import { startReceiptReads } from '../support/clients/receipt-reads.js';
import { type Service, startOnServers } from '../support/processes/service.js';
import { dumpNeo4j, loadNeo4jDump } from '../support/servers/local-servers.js';
import { testNeo4jConfig } from '../support/servers/neo4j.js';

const EARLY = 5;
/** So many that the dump is some transactions behind. */
const LATE = 60;
const TAG = 'receipt';
const DEADLINE_MS = 120_000;
/** So many transactions that the service cannot make up for them before the deadline of a read. */
const PROBES = 500;
const WRITE_PROBE = { text: 'CREATE (:Probe)', given: {} };
const COUNT_PROBES = { text: 'MATCH (probe:Probe) RETURN count(probe) AS probes', given: {} };

if (process.env['PALIMPSEST_TEST_SERVERS'] === 'local')
  describe('Neo4j with an earlier dump', function () {
    this.timeout(300_000);
    let service: Service;
    before(async () => (service = await startOnServers()));
    after(() => service.close());

    it('gets all acknowledged memories back while the service runs', async () => {
      const early = await storeMany(EARLY);
      await service.settled();
      const dump = await dumpNeo4j();
      await until('a change is accepted', () => isChanged(early[0], 'Changed after the dump'), DEADLINE_MS);
      const late = await storeMany(LATE);
      const last = await store('Stored last', [TAG]);
      await service.settled();
      const held = await until('no rebuild runs', () => service.engines.lock.take('rebuild-graph'));
      const writer = startWriter(service);
      const client = await connectNeo4j({ config: testNeo4jConfig(), logger: silentLogger });
      await Promise.all(Array.from({ length: PROBES }, () => client.write([WRITE_PROBE])));
      await loadNeo4jDump(dump);
      const probes = await client.read(COUNT_PROBES).finally(() => client.close());
      expect(probes, 'what the loaded store has of them').to.deep.equal([{ probes: 0 }]);
      await rm(dump, { recursive: true });
      const reads = startReceiptReads(service, { ...last, tag: TAG });
      await until('health reports it', async () => (await problems()).includes('was put back'), DEADLINE_MS);
      await until('reads report that the graph lacks the memory', () => reads.withoutGraph() > 0);
      await held.release();
      await until('the graph is whole', async () => !(await problems()).includes('The graph '), DEADLINE_MS);
      await until('reads report the memory', () => reads.withGraph() > 0);
      await reads.stop();
      for (const id of [...early, ...late, last.id, ...(await writer.stop())])
        expect((await service.request('GET', `/memory/${id}`)).status, id).to.equal(200);
      expect(await contentOf(early[0])).to.equal('Changed after the dump');
      await until('a later change is accepted', () => isChanged(late[0], 'Changed after the rebuild'));
      await service.settled();
      expect(await differencesOfService(service)).to.deep.equal([]);
    });

    async function store(content: string, tags: readonly string[] = []) {
      const { status, headers, body } = await service.request('POST', '/memory', { body: { content, tags } });
      expect(status, JSON.stringify(body)).to.equal(201);
      return { id: String(body.memory_id), receipt: headers.get(RECEIPT_HEADER) ?? '' };
    }

    async function storeMany(count: number): Promise<readonly string[]> {
      const ids: string[] = [];
      for (let number = 1; number <= count; number += 1) ids.push((await store(`Memory ${number} of ${count}`)).id);
      return ids;
    }

    async function isChanged(id: string | undefined, content: string): Promise<boolean> {
      return (await service.request('PATCH', `/memory/${id}`, { body: { content } })).status === 200;
    }

    async function contentOf(id: string | undefined): Promise<string> {
      return (await service.request('GET', `/memory/${id}`)).body.memory.content;
    }

    async function problems(): Promise<string> {
      return (await service.request('GET', '/health')).body.problems.join();
    }
  });
