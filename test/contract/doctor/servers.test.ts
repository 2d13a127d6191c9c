/** The checks of the servers of the distributed composition, on all four servers. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { migrationSteps } from '../../../command-api/open-migration-steps.js';
import { examine } from '../../../deploy/commands/doctor/examine.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { openTemporaryPostgres, type TemporaryPostgres } from '../../support/servers/postgres.js';
import { isServerWanted, neo4jCredentials, serverAddress } from '../../support/servers/servers.js';

if ((['postgres', 'neo4j', 'kafka', 'qdrant'] as const).every((name) => isServerWanted(name))) {
  describe('examine with servers', () => {
    let temporary: TemporaryPostgres;
    before(async () => {
      temporary = await openTemporaryPostgres({ empty: true });
    });
    after(() => temporary.remove());

    it('finds what `palimpsest migrate` prepares, and nothing wrong after it', async () => {
      const { user, password } = neo4jCredentials();
      const environment = {
        POSTGRES_URL: temporary.config.url,
        NEO4J_URL: serverAddress('neo4j'),
        NEO4J_USER: user,
        NEO4J_PASSWORD: password,
        KAFKA_BROKERS: serverAddress('kafka'),
        KAFKA_TOPIC_PREFIX: `doctor-${randomUUID()}.`,
        QDRANT_URL: serverAddress('qdrant'),
        QDRANT_COLLECTION: `doctor-${randomUUID()}`,
      };
      const servers = async () => {
        const findings = await examine(environment, { url: null, distributed: true });
        return findings.filter(({ check }) => ['postgres', 'neo4j', 'kafka', 'qdrant'].includes(check));
      };
      const steps = migrationSteps({ environment, logger: silentLogger });
      await steps.find(({ name }) => name === 'neo4j')?.run(); // all tests share its one database
      const before = await servers();
      for (const { run } of steps) await run();
      const after = await servers();
      expect(before.map(({ state }) => state)).to.deep.equal(['problem', 'ok', 'problem', 'problem']);
      for (const { remedy = 'run `npx palimpsest migrate`' } of before)
        expect(remedy).to.contain('run `npx palimpsest migrate`');
      expect(
        after.map(({ state }) => state),
        JSON.stringify(after),
      ).to.deep.equal(['ok', 'ok', 'ok', 'ok']);
      expect(after.filter(({ message }) => / is version \d+\.\d+/u.test(message))).to.have.lengthOf(3);
    });
  });
}
