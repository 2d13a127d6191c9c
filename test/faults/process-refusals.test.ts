/**
 * The messages of the distributed processes when a running server refuses them, and the query API without optional
 * servers.
 */
import { expect } from 'chai';
import { createHttpCaller } from '../support/clients/http-caller.js';
import { createTempFolder, type TempFolder } from '../support/fixtures/temp-folder.js';
import { type Child, startChild } from '../support/processes/child-process.js';
import { freePort } from '../support/processes/free-port.js';
import { openEmptyNeo4j } from '../support/servers/neo4j.js';
import { openTemporaryPostgres } from '../support/servers/postgres.js';
import { dropCollections, openQdrantIndex, qdrantTestConfig } from '../support/servers/qdrant.js';
import { isServerWanted, neo4jCredentials, serverAddress } from '../support/servers/servers.js';

if (isServerWanted('postgres') && isServerWanted('neo4j') && isServerWanted('qdrant')) {
  describe('a process refused by a server', function () {
    let folder: TempFolder;
    let unusedAddress: string;
    before(async () => {
      folder = await createTempFolder();
      unusedAddress = `127.0.0.1:${await freePort()}`;
    });
    after(() => folder.remove());

    function start(main: string, variables: Readonly<Record<string, string>>): Child {
      const { user, password } = neo4jCredentials();
      return startChild({
        main,
        folder: folder.path,
        variables: {
          PORT: '0',
          INTERNAL_API_TOKEN: 'internal-token',
          NEO4J_URL: serverAddress('neo4j'),
          NEO4J_USER: user,
          NEO4J_PASSWORD: password,
          KAFKA_BROKERS: unusedAddress,
          QDRANT_URL: `http://${unusedAddress}`,
          POSTGRES_URL: serverAddress('postgres'),
          ...variables,
        },
      });
    }

    /** Runs the process until it ends with code 1. Resolves with the one line that it prints in addition to its log. */
    async function refusal(main: string, variables: Readonly<Record<string, string>>): Promise<string> {
      const child = start(main, variables);
      expect(await child.ended, child.output()).to.equal(1);
      const [line = '', ...others] = child
        .output()
        .trimEnd()
        .split('\n')
        .filter((text) => !text.startsWith('{'));
      expect(others, child.output()).to.deep.equal([]);
      return line;
    }

    it('names the setting for an unknown Postgres user or database', async () => {
      const [unknownUser, unknownDatabase] = [new URL(serverAddress('postgres')), new URL(serverAddress('postgres'))];
      unknownUser.username = 'palimpsest_unknown';
      unknownDatabase.pathname = '/palimpsest_unknown';
      expect(await refusal('command-api/main.js', { POSTGRES_URL: unknownUser.href })).to.contain(
        'Postgres refuses this user or password: check POSTGRES_URL',
      );
      expect(await refusal('command-api/relay/main.js', { POSTGRES_URL: unknownDatabase.href })).to.contain(
        'does not exist: create it (CREATE DATABASE), then run `npx palimpsest migrate`',
      );
    });

    it('ends and names the variables when Neo4j refuses the password', async () => {
      const line = await refusal('query-api/main.js', { NEO4J_PASSWORD: 'wrong-password' });
      expect(line)
        .to.match(/Neo4j at \S+ refused user \S+ with this password: set NEO4J_USER and NEO4J_PASSWORD/u)
        .and.not.contain('wrong-password');
    });

    it('names the migrate command if tables are missing', async () => {
      const { config, remove } = await openTemporaryPostgres({ empty: true });
      for (const main of ['command-api/main.js', 'command-api/relay/main.js', 'projectors/main.js']) {
        expect(await refusal(main, { POSTGRES_URL: config.url })).to.contain('run `npx palimpsest migrate`');
      }
      await remove();
    });

    it('ends for an unavailable size of the stored vectors', async () => {
      const qdrant = qdrantTestConfig();
      await openQdrantIndex(qdrant, 3);
      const { config, remove } = await openTemporaryPostgres();
      const variables = {
        POSTGRES_URL: config.url,
        QDRANT_URL: serverAddress('qdrant'),
        QDRANT_COLLECTION: qdrant.collection,
      };
      const lines = [
        await refusal('projectors/main.js', variables),
        await refusal('projectors/main.js', { ...variables, VECTOR_SIZE_AUTODETECT: 'false' }),
      ];
      await remove();
      await dropCollections(qdrant);
      expect(lines[0]).to.contain(
        'the stored vectors have 3 values, which no configured embedding provider makes: set EMBEDDING_PROVIDER',
      );
      expect(lines[1]).to.contain(
        'have 3 values, but VECTOR_SIZE or the embedding provider asks for 384: set VECTOR_SIZE=3',
      );
    });

    it('is not the query API, which needs only Neo4j', async () => {
      const neo4j = await openEmptyNeo4j();
      const child = start('query-api/main.js', { POSTGRES_URL: `postgres://user:a-secret@${unusedAddress}/memories` });
      const [, port] = await child.prints(/query-api listens on http:\/\/localhost:(\d+)/u);
      const { request } = createHttpCaller(`http://127.0.0.1:${port}`);
      const recall = await request('GET', '/recall?query=anything');
      const health = await request('GET', '/health');
      const ready = await request('GET', '/readyz');
      expect(await child.stop('SIGTERM')).to.equal(0);
      await neo4j.close();
      expect(child.output()).to.not.contain('a-secret').and.not.contain(neo4jCredentials().password);

      expect(recall.status).to.equal(200);
      expect(recall.body.vector_search.enabled).to.equal(false);
      expect(recall.body.degraded.map(({ source }: { source: string }) => source)).to.deep.equal(['vectors']);
      expect(health.body).to.deep.include({
        status: 'degraded',
        neo4j: 'connected',
        qdrant: 'disconnected',
        journal: 'disconnected',
        memory_count: 0,
        vector_count: null,
        in_flight: null,
        indexer: null,
        outbox: null,
        dead_letters: null,
        sync_status: 'unknown',
      });
      expect(health.body.vector_dimensions).to.deep.equal({
        configured: 384,
        effective: 384,
        collection: null,
        mismatch: false,
      });
      expect(ready.body).to.deep.equal({ status: 'ok', checks: { graph: 'connected' } });
    });
  });
}
