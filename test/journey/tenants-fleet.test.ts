/** Tenants of a fleet with two processes of each kind: made, used, suspended and deleted through the gateway. */
import { expect } from 'chai';
import { createKafkaClient } from '../../shared/engines/kafka/kafka-client.js';
import { kafkaConfig } from '../../shared/engines/kafka/kafka-variables.js';
import { connectNeo4j } from '../../shared/engines/neo4j/connection/connect-neo4j.js';
import { createQdrantClient } from '../../shared/engines/qdrant/qdrant-client.js';
import { qdrantConfig } from '../../shared/engines/qdrant/qdrant-variables.js';
import { silentLogger } from '../../shared/kernel/logger.js';
import { until } from '../support/checks/until.js';
import { watch } from '../support/clients/event-stream.js';
import { createHttpCaller } from '../support/clients/http-caller.js';
import { startChild } from '../support/processes/child-process.js';
import { type Fleet, migrate, startFleet } from '../support/processes/fleet.js';
import { openTestDeployment } from '../support/processes/test-deployment.js';
import { testNeo4jConfig } from '../support/servers/neo4j.js';
import { asAdministrator } from '../support/servers/postgres.js';
import { isServerWanted, type ServerName, SERVERS } from '../support/servers/servers.js';

const ADMIN = 'admin-of-the-fleet';
const OPERATOR = { 'X-Admin-Token': ADMIN };
const KINDS = ['projectors', 'relay', 'command-api', 'query-api'] as const;
const SCOPES = ['memories:read', 'memories:write', 'events:read', 'admin:jobs'];
const [OPEN_MS, TEST_MS] = [90_000, 300_000];

if ((Object.keys(SERVERS) as ServerName[]).every((name) => isServerWanted(name))) {
  describe('tenants of a fleet', function () {
    this.timeout(TEST_MS);
    let opened: Awaited<ReturnType<typeof openTestDeployment>>;
    let fleet: Fleet;
    before(async () => {
      opened = await openTestDeployment();
      fleet = await startFleet(opened.deployment, { each: 2, variables: { ADMIN_API_TOKEN: ADMIN } });
    });
    after(async () => {
      for (const { id } of await listed()) await remove(id);
      await fleet.close();
      await opened.remove();
    });

    type Listed = { readonly id: string; readonly name: string; readonly state: string; readonly memories: number };
    const send = async (method: string, path: string, body?: object, headers: Record<string, string> = OPERATOR) =>
      fleet.request(method, path, { headers, ...(body && { body }) });
    const listed = async (): Promise<readonly Listed[]> => (await send('GET', '/admin/tenants')).body.tenants;
    const as = (secret: string) => ({ Authorization: `Bearer ${secret}` });
    async function make(name: string): Promise<{ readonly id: string; readonly secret: string }> {
      const made = await send('POST', '/admin/tenants', { name });
      expect(made.status, JSON.stringify(made.body)).to.equal(201);
      const { id } = made.body.tenant;
      const key = await send('POST', `/admin/tenants/${id}/keys`, { name: 'agent', scopes: SCOPES });
      expect(key.status, JSON.stringify(key.body)).to.equal(201);
      return { id, secret: key.body.secret };
    }
    async function remove(id: string): Promise<void> {
      expect((await send('DELETE', `/admin/tenants/${id}`)).status).to.equal(200);
      await until('nothing is left of it', async () => (await listed()).every((tenant) => tenant.id !== id), OPEN_MS);
    }
    const store = async (secret: string, content: string) => {
      const { status, body } = await send('POST', '/memory', { content }, as(secret));
      expect(status, JSON.stringify(body)).to.equal(201);
      return body.memory_id as string;
    };
    const found = async (secret: string, query: string): Promise<readonly string[]> => {
      const { status, body } = await send('GET', `/recall?query=${encodeURIComponent(query)}`, undefined, as(secret));
      expect(status, JSON.stringify(body)).to.equal(200);
      return body.results.map(({ memory }: { memory: { content: string } }) => memory.content);
    };
    const vectorsOf = async (secret: string): Promise<number> =>
      (await send('GET', '/health', undefined, as(secret))).body.vector_count;

    it('find their own memories by words and by meaning, and no others', async () => {
      const [blue, amber] = [await make('blue'), await make('amber')];
      await store(blue.secret, 'The kitten only eats tuna');
      await store(amber.secret, 'The puppy only eats rice');
      for (const { secret } of [blue, amber])
        await until('its vector is there', async () => (await vectorsOf(secret)) === 1, OPEN_MS);
      expect(await found(blue.secret, 'feeding a young cat')).to.deep.equal(['The kitten only eats tuna']);
      expect(await found(amber.secret, 'eats')).to.deep.equal(['The puppy only eats rice']);
      const anyone = await fleet.request('GET', '/recall?query=eats');
      expect(anyone.body.results).to.deep.equal([]);
      const { body } = await send('GET', '/events', undefined, as(amber.secret));
      expect(body.events[0]).to.include({ type: 'key.created', tenant: 'amber', position: 1 });
      expect(body.events[1]).to.include({ type: 'memory.stored', tenant: 'amber', position: 2 });
      await until('both are enriched', async () => {
        const states = await Promise.all(
          [blue, amber].map(async ({ secret }) => (await send('GET', '/events', undefined, as(secret))).body.events),
        );
        return states.every((events) => events.some(({ type }: { type: string }) => type === 'memory.enriched'));
      });
    });

    it('are known at once to each process of the fleet', async () => {
      const { id, secret } = await make('green');
      for (const kind of ['command-api', 'query-api'] as const)
        for (const { url } of fleet.members(kind)) {
          const [method, path] = kind === 'command-api' ? ['POST', '/memory'] : ['GET', '/memories'];
          const request = { headers: as(secret), ...(kind === 'command-api' && { body: { content: 'At once' } }) };
          const { status } = await createHttpCaller(url).request(method, path, request);
          expect(status, url).to.equal(kind === 'command-api' ? 201 : 200);
        }
      await remove(id);
    });

    it('are refused by each process within a second of their suspension', async () => {
      const { id, secret } = await make('red');
      await store(secret, 'Before the suspension');
      const stream = await watch(fleet.url, { headers: as(secret) });
      const change = (body: object) => send('PATCH', `/admin/tenants/${id}`, body);
      expect((await change({ suspended: true, reason: 'The trial ended' })).status).to.equal(200);
      const statuses = async () =>
        Promise.all(
          fleet.members('query-api').map(async ({ url }) => {
            const { status } = await createHttpCaller(url).request('GET', '/memories', { headers: as(secret) });
            return status;
          }),
        );
      await until('both query APIs refuse it', async () => (await statuses()).every((status) => status === 403), 2_000);
      await until('its stream has ended', () => stream.isClosed(), 5_000);
      expect((await change({ suspended: false })).status).to.equal(200);
      await until('both query APIs serve it', async () => (await statuses()).every((status) => status === 200), 2_000);
      await stream.close();
    });

    it('survive a kill of a process of each kind, and lose nothing', async () => {
      const { secret } = await make('grey');
      await store(secret, 'Before the kill');
      const killed = KINDS.flatMap((kind) => fleet.members(kind).slice(0, 1));
      await Promise.all(killed.map((member) => member.stop('SIGKILL')));
      await Promise.all(killed.map(({ kind, port }) => fleet.add(kind, { port })));
      await store(secret, 'After the kill');
      await until('both have vectors', async () => (await vectorsOf(secret)) === 2, OPEN_MS);
      expect(await found(secret, 'kill')).to.have.members(['Before the kill', 'After the kill']);
    });

    it('are migrated with the deployment', async () => {
      await migrate(opened.deployment);
      expect((await listed()).map(({ state }) => state)).to.include('active');
    });

    it('are examined by the command for operators', async () => {
      const { id, secret } = await make('examined');
      await store(secret, 'To be examined');
      await until('its vector is there', async () => (await vectorsOf(secret)) === 1, OPEN_MS);
      const { folder, variables } = opened.deployment;
      const verify = startChild({
        main: 'deploy/commands/main.js',
        arguments: ['verify', '--distributed', '--json'],
        folder: folder.path,
        variables: { ...variables, PALIMPSEST_TENANT: id },
      });
      expect(await verify.ended, verify.output()).to.equal(0);
      expect(verify.output()).to.match(/"points":1\b/u);
    });

    it('leave nothing in the servers when they are deleted', async () => {
      const { id, secret } = await make('short');
      await store(secret, 'To be deleted');
      await until('its vector is there', async () => (await vectorsOf(secret)) === 1, OPEN_MS);
      const digits = id.replaceAll('-', '');
      expect(await traces(digits)).to.deep.equal({ databases: 1, topics: 2, collections: 1, indexes: 12 });
      await remove(id);
      expect((await send('GET', '/memories', undefined, as(secret))).status).to.equal(401);
      expect(await traces(digits)).to.deep.equal({ databases: 0, topics: 0, collections: 0, indexes: 0 });
    });

    /** What the servers have under the name of a tenant. */
    async function traces(digits: string) {
      const { variables } = opened.deployment;
      const admin = createKafkaClient({ config: kafkaConfig(variables), logger: silentLogger }).admin();
      const { collections } = await createQdrantClient(qdrantConfig(variables)).getCollections();
      const databases = await asAdministrator((server) =>
        server.query(`SELECT datname FROM pg_database WHERE datname LIKE '%${digits}'`),
      );
      await admin.connect();
      const topics = await admin.listTopics();
      await admin.disconnect();
      const neo4j = await connectNeo4j({ config: testNeo4jConfig(), logger: silentLogger });
      const text = 'SHOW INDEXES YIELD name WHERE name CONTAINS $given.digits RETURN name';
      const indexes = await neo4j.read({ text, given: { digits } }).finally(() => neo4j.close());
      return {
        databases: databases.rows.length,
        topics: topics.filter((name) => name.includes(digits)).length,
        collections: collections.filter(({ name }) => name.includes(digits)).length,
        indexes: indexes.length,
      };
    }
  });
}
