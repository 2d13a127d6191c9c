/** Runs `palimpsest migrate` as a process of its own, on all four servers. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { requireSchema } from '../../../shared/engines/postgres/connection/migrate-postgres.js';
import { POSTGRES_SCHEMA } from '../../../shared/engines/postgres/schema/schema.js';
import { openTcpGate } from '../../support/faults/tcp-gate.js';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { startChild } from '../../support/processes/child-process.js';
import { openTemporaryPostgres, type TemporaryPostgres } from '../../support/servers/postgres.js';
import { isServerWanted, neo4jCredentials, serverAddress } from '../../support/servers/servers.js';

if ((['postgres', 'neo4j', 'kafka', 'qdrant'] as const).every((name) => isServerWanted(name))) {
  describe('migrate command', () => {
    let temporary: TemporaryPostgres;
    let folder: TempFolder;
    beforeEach(async () => {
      [temporary, folder] = await Promise.all([openTemporaryPostgres({ empty: true }), createTempFolder()]);
    });
    afterEach(() => Promise.all([temporary.remove(), folder.remove()]));

    function start(changes: Readonly<Record<string, string>> = {}) {
      const { user, password } = neo4jCredentials();
      const name = `migrate-${randomUUID()}`;
      const variables = {
        POSTGRES_URL: temporary.config.url,
        NEO4J_URL: serverAddress('neo4j'),
        NEO4J_USER: user,
        NEO4J_PASSWORD: password,
        KAFKA_BROKERS: serverAddress('kafka'),
        KAFKA_TOPIC_PREFIX: `${name}.`,
        QDRANT_URL: serverAddress('qdrant'),
        QDRANT_COLLECTION: name,
        START_TIMEOUT_MS: '30000',
        ...changes,
      };
      return startChild({ main: 'deploy/commands/main.js', arguments: ['migrate'], folder: folder.path, variables });
    }

    it('creates tables, schema, topics and collection, and can run twice', async () => {
      const again = { KAFKA_TOPIC_PREFIX: 'migrate-again.', QDRANT_COLLECTION: 'migrate-again' };
      const first = start(again);
      expect(await first.ended, first.output()).to.equal(0);
      expect(first.output()).to.match(/^postgres: .*brought from version 0.*\nneo4j: .*\nkafka: .*\nqdrant: .*384\n$/u);
      await requireSchema(temporary.postgres, POSTGRES_SCHEMA);
      const second = start(again);
      expect(await second.ended, second.output()).to.equal(0);
      expect(second.output())
        .to.match(/^postgres: .* is at version /u)
        .and.not.match(/brought/u);
    });

    it('reports the problem of a server in one line and ends with 1', async () => {
      const child = start({
        POSTGRES_URL: Object.assign(new URL(temporary.config.url), { pathname: '/nowhere' }).href,
      });
      expect(await child.ended).to.equal(1);
      expect(child.output()).to.match(/^The configuration cannot be used: .* does not exist: create it .*\n$/u);
    });

    it('reports all problems of the configuration in one run', async () => {
      const child = start({ POSTGRES_URL: '', KAFKA_PARTITIONS: 'many', QDRANT_URL: '' });
      expect(await child.ended).to.equal(1);
      expect(child.output())
        .to.match(/POSTGRES_URL/u)
        .and.match(/KAFKA_PARTITIONS/u)
        .and.match(/QDRANT_URL/u);
    });

    it('waits for a server that is still starting', async () => {
      const { hostname, port } = new URL(temporary.config.url);
      const gate = await openTcpGate({ host: hostname, port: Number(port || 5432) });
      gate.hold();
      const child = start({
        POSTGRES_URL: Object.assign(new URL(temporary.config.url), { host: `127.0.0.1:${gate.port}` }).href,
      });
      await child.prints(/cannot be used yet: .*; next try in/u);
      gate.release();
      expect(await child.ended, child.output()).to.equal(0);
      await gate.close();
    });
  });
}
