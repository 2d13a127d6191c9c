import { expect } from 'chai';
import { createAssociateMemoriesTool } from '../../deploy/mcp/tools/associate-memories.js';
import { createCheckDatabaseHealthTool } from '../../deploy/mcp/tools/check-database-health.js';
import { createDeleteMemoryTool } from '../../deploy/mcp/tools/delete-memory.js';
import { createStoreMemoryTool } from '../../deploy/mcp/tools/store-memory.js';
import { createUpdateMemoryTool } from '../../deploy/mcp/tools/update-memory.js';
import { startService } from '../support/service.js';
import { answerJson, openStubInstance, type StubInstance } from '../support/stub-instance.js';
import { callTool, type ToolOptions } from '../support/tools.js';
import { until } from '../support/until.js';
import { NOBODY, store } from './memory-fixtures.js';

/** Every way to write, with arguments that pass. */
const WRITES = [
  [createStoreMemoryTool(), { content: 'x' }],
  [createStoreMemoryTool(), { memories: [{ content: 'x' }] }],
  [createStoreMemoryTool(), { content: 'x', supersedes_memory_id: NOBODY }],
  [createAssociateMemoriesTool(), { memory1_id: NOBODY, memory2_id: 'x', type: 'PART_OF' }],
  [createAssociateMemoriesTool(), { associations: [{ memory1_id: NOBODY, memory2_id: 'x', type: 'PART_OF' }] }],
  [createUpdateMemoryTool(), { memory_id: NOBODY, importance: 1 }],
  [createDeleteMemoryTool(), { memory_id: NOBODY }],
  [createDeleteMemoryTool(), { tags: ['x'] }],
] as const;
const health = createCheckDatabaseHealthTool();

describe('a tool whose service fails', () => {
  let stub: StubInstance;

  beforeEach(async () => {
    stub = await openStubInstance('service');
  });

  afterEach(() => stub.close());

  async function expectTold(reason: RegExp, advice: RegExp, options: ToolOptions = {}): Promise<void> {
    for (const [tool, input] of WRITES) {
      const { isError, all } = await callTool(tool, input, stub.url, options);
      expect([isError, all], `${tool.name} ${JSON.stringify(input)}`).to.satisfy(
        ([is, text]: [boolean, string]) => is && reason.test(text) && advice.test(text),
      );
      expect(all).to.match(/Nothing was written|may have been (?:stored|carried out)|It is not known/iu);
    }
    const { isError, all, fields } = await callTool(health, {}, stub.url, options);
    expect([isError, fields.status], all).to.deep.equal([undefined, 'error']);
    expect(fields.error).to.match(reason);
  }

  for (const [status, body, reason, advice] of [
    [401, { message: 'Unauthorized' }, /Unauthorized/u, /AUTOMEM_API_KEY/u],
    [403, { detail: 'No admittance' }, /No admittance/u, /AUTOMEM_API_KEY/u],
    [404, {}, /HTTP 404/u, /recall_memory/u],
    [409, { message: 'Busy' }, /Busy/u, /recall_memory|in other words/u],
    [413, { message: 'Body too large' }, /Body too large/u, /fewer memories/u],
    [500, { message: 'Internal server error' }, /Internal server error/u, /log of the service/u],
    [503, { message: 'Graph database unavailable' }, /Graph database unavailable/u, /check_database_health/u],
  ] as const) {
    it(`says of ${status} what is wrong, what was written and what to do`, async () => {
      stub.does((_, response) => answerJson(response, status, body));

      await expectTold(reason, advice);
    });
  }

  it('says so of half a JSON', async () => {
    stub.does((_, response) => response.writeHead(200).end('{"memory_id": "'));

    await expectTold(/Invalid JSON response \(200\)/u, /AUTOMEM_API_URL/u);
  });

  it('says so of a service that is down', async () => {
    await stub.close();

    await expectTold(/cannot be reached/u, /AUTOMEM_API_URL/u);
  });

  it('says so of a service that is slow', async () => {
    stub.does(() => undefined);

    await expectTold(/did not answer in time/u, /check_database_health/u, { timeoutMs: 20, retryDelaysMs: [] });
  });

  it('does not take an answer without an id for a stored memory', async () => {
    stub.does((_, response) => answerJson(response, 200, { status: 'ok' }));

    for (const [tool, input] of WRITES.slice(0, 3)) {
      const { isError, all } = await callTool(tool, input, stub.url);
      expect([isError, all], all).to.satisfy(
        ([is, text]: [boolean, string]) => is && /names no memory_ids?/u.test(text),
      );
    }
    expect((await callTool(health, {}, stub.url)).fields).to.include({ status: 'error' });
  });

  it('ends a call that is cancelled', async () => {
    stub.does(() => undefined);
    for (const [tool, input] of WRITES) {
      const caller = new AbortController();
      const reached = stub.requests.length + 1;
      const called = callTool(tool, input, stub.url, { signal: caller.signal });
      await until('the request is there', () => stub.requests.length === reached);
      caller.abort();
      expect((await called).all).to.match(/^Error: The call was cancelled/u);
    }
  });
});

describe('a tool without the right key', () => {
  it('is refused by the service, and names the variable; with it the tool works', async () => {
    const service = await startService({ variables: { SERVICE_API_TOKEN: 'right' } });
    const [tool, input] = WRITES[0];

    for (const options of [{}, { token: 'wrong' }]) {
      expect((await callTool(tool, input, service.url, options)).all).to.match(
        /^Error: Unauthorized\nNothing was written\.\n.*AUTOMEM_API_KEY/u,
      );
    }
    expect((await callTool(tool, input, service.url, { token: 'right' })).isError).to.equal(undefined);
    expect((await callTool(health, {}, service.url)).fields).to.include({ backend: 'automem' });
    await service.close();
  });

  it('says of a graph that is down that it is', async () => {
    const service = await startService();
    const id = await store(service);
    service.breakers.graph.break();

    const { all } = await callTool(createUpdateMemoryTool(), { memory_id: id, importance: 1 }, service.url);

    expect(all).to.match(/^Error: Graph database unavailable\n.*\n.*check_database_health/u);
    await service.close();
  });
});
