/** What the processes of the distributed service say when a server that is there refuses them, and what they can do without. */
import { expect } from 'chai';
import { startChild, type Child } from '../support/child-process.js';
import { freePort } from '../support/free-port.js';
import { createHttpCaller } from '../support/http-caller.js';
import { openEmptyNeo4j } from '../support/neo4j.js';
import { openTemporaryPostgres } from '../support/postgres.js';
import { dropCollections, openQdrantIndex, qdrantTestConfig } from '../support/qdrant.js';
import { isServerWanted, neo4jCredentials, serverAddress } from '../support/servers.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';

if (isServerWanted('postgres') && isServerWanted('neo4j') && isServerWanted('qdrant')) {
  describe('a process that a server refuses', function () {
    this.timeout(120_000);
    let folder: TempFolder;
    let nowhere: string;
    before(async () => {
      folder = await createTempFolder();
      nowhere = `127.0.0.1:${await freePort()}`;
    });
    after(() => folder.remove());

    function start(main: string, variables: Readonly<Record<string, string>>): Child {
      const { user, password } = neo4jCredentials();
      return startChild({
        main,
        folder: folder.path,
        variables: {
          PORT: '0',
          INTERNAL_API_TOKEN: 'between-us',
          NEO4J_URL: serverAddress('neo4j'),
          NEO4J_USER: user,
          NEO4J_PASSWORD: password,
          KAFKA_BROKERS: nowhere,
          QDRANT_URL: `http://${nowhere}`,
          POSTGRES_URL: serverAddress('postgres'),
          ...variables,
        },
      });
    }

    /** Ends with 1, and one line beside its log. */
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

    it('ends when Postgres does not know its user, or its database, and says what to set', async () => {
      const [stranger, elsewhere] = [new URL(serverAddress('postgres')), new URL(serverAddress('postgres'))];
      stranger.username = 'palimpsest_nobody';
      elsewhere.pathname = '/palimpsest_nowhere';
      expect(await refusal('command-api/main.js', { POSTGRES_URL: stranger.href })).to.contain(
        'Postgres refuses this user or password: check POSTGRES_URL',
      );
      expect(await refusal('command-api/relay/main.js', { POSTGRES_URL: elsewhere.href })).to.contain(
        'does not exist: create it (CREATE DATABASE), then run `npm run migrate`',
      );
    });

    it('ends when Neo4j refuses its password, and says what to set', async () => {
      const line = await refusal('query-api/main.js', { NEO4J_PASSWORD: 'a-wrong-one' });
      expect(line)
        .to.match(/Neo4j at \S+ refused user \S+ with this password: set NEO4J_USER and NEO4J_PASSWORD/u)
        .and.not.contain('a-wrong-one');
    });

    it('ends over a database without its tables, and names the command that makes them', async () => {
      const { config, remove } = await openTemporaryPostgres({ empty: true });
      for (const main of ['command-api/main.js', 'command-api/relay/main.js', 'projectors/main.js']) {
        expect(await refusal(main, { POSTGRES_URL: config.url })).to.contain('run `npm run migrate`');
      }
      await remove();
    });

    it('ends over stored vectors of a size that it cannot make, or is told not to adopt', async () => {
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
        'have 3 values, but VECTOR_SIZE or the embedding provider asks for 512: set VECTOR_SIZE=3',
      );
    });

    it('is not the query API while Neo4j takes it, whatever else is missing: it answers and says what is', async () => {
      const neo4j = await openEmptyNeo4j();
      const child = start('query-api/main.js', { POSTGRES_URL: `postgres://user:a-word-to-keep@${nowhere}/memories` });
      const [, port] = await child.prints(/query-api listens on http:\/\/localhost:(\d+)/u);
      const { request } = createHttpCaller(`http://127.0.0.1:${port}`);
      const recall = await request('GET', '/recall?query=anything');
      const health = await request('GET', '/health');
      const ready = await request('GET', '/readyz');
      expect(await child.stop('SIGTERM')).to.equal(0);
      await neo4j.close();
      expect(child.output()).to.not.contain('a-word-to-keep').and.not.contain(neo4jCredentials().password);

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
        configured: 512,
        effective: 512,
        collection: null,
        mismatch: false,
      });
      expect(ready.body).to.deep.equal({ status: 'ok', checks: { graph: 'connected' } });
    });
  });
}
