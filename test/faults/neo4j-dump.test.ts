/** A Neo4j that is stopped and loaded with an earlier dump while a process is connected to it. */
import { rm } from 'node:fs/promises';
import { expect } from 'chai';
import type { RecordedEvent } from '../../shared/contract/events.js';
import { connectNeo4j } from '../../shared/engines/neo4j/connection/connect-neo4j.js';
import { createNeo4jGraphReader } from '../../shared/engines/neo4j/neo4j-graph-reader.js';
import { createNeo4jGraphWriter } from '../../shared/engines/neo4j/neo4j-graph-writer.js';
import { silentLogger } from '../../shared/kernel/logger.js';
import { until } from '../support/checks/until.js';
import { numberedId, recorded, stored } from '../support/fixtures/events.js';
import { dumpNeo4j, loadNeo4jDump } from '../support/servers/local-servers.js';
import { openEmptyNeo4j, testNeo4jConfig } from '../support/servers/neo4j.js';

/** So many that the dump is some transactions behind. */
const MEMORIES = 60;
const DEADLINE_MS = 120_000;

if (process.env['PALIMPSEST_TEST_SERVERS'] === 'local')
  describe('Neo4j with an earlier dump', function () {
    this.timeout(300_000);

    it('answers reads and writes without a restart of the process', async () => {
      await (await openEmptyNeo4j()).close();
      const neo4j = await connectNeo4j({ config: testNeo4jConfig(), logger: silentLogger });
      const [reader, writer] = [createNeo4jGraphReader({ neo4j }), createNeo4jGraphWriter({ neo4j })];
      const succeeds = (work: Promise<unknown>): Promise<boolean> =>
        work.then(
          () => true,
          () => false,
        );
      const event = (number: number): RecordedEvent => recorded(stored(number), number);
      const apply = (number: number): Promise<boolean> =>
        until(`memory ${number} is applied`, () => succeeds(writer.apply([event(number)])), DEADLINE_MS);
      await apply(1);
      const dump = await dumpNeo4j();
      for (let number = 2; number <= MEMORIES; number += 1) await apply(number);
      await loadNeo4jDump(dump);
      await rm(dump, { recursive: true });
      await until('a read is answered', () => succeeds(reader.ping()), DEADLINE_MS);
      expect(await reader.memories([1, 2, MEMORIES].map(numberedId))).to.have.length(1);
      await apply(2);
      await neo4j.close();
    });
  });
