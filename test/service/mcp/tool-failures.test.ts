import { expect } from 'chai';
import { createAssociateMemoriesTool } from '../../../deploy/mcp/tools/associate-memories.js';
import { createCheckDatabaseHealthTool } from '../../../deploy/mcp/tools/check-database-health.js';
import { createDeleteMemoryTool } from '../../../deploy/mcp/tools/delete-memory.js';
import { createStoreMemoryTool } from '../../../deploy/mcp/tools/store-memory.js';
import { createUpdateMemoryTool } from '../../../deploy/mcp/tools/update-memory.js';
import { until } from '../../support/checks/until.js';
import { callTool, type ToolOptions } from '../../support/clients/call-tool.js';
import { startService } from '../../support/processes/service.js';
import { answerJson, openStubInstance, type StubInstance } from '../../support/servers/stub-instance.js';
import { ABSENT_MEMORY_ID, store } from '../memories/memory-fixtures.js';

/** Every kind of write, with valid arguments. */
const WRITES = [
  [createStoreMemoryTool(), { content: 'x' }],
  [createStoreMemoryTool(), { memories: [{ content: 'x' }] }],
  [createStoreMemoryTool(), { content: 'x', supersedes_memory_id: ABSENT_MEMORY_ID }],
  [createAssociateMemoriesTool(), { memory1_id: ABSENT_MEMORY_ID, memory2_id: 'x', type: 'PART_OF' }],
  [
    createAssociateMemoriesTool(),
    { associations: [{ memory1_id: ABSENT_MEMORY_ID, memory2_id: 'x', type: 'PART_OF' }] },
  ],
  [createUpdateMemoryTool(), { memory_id: ABSENT_MEMORY_ID, importance: 1 }],
  [createDeleteMemoryTool(), { memory_id: ABSENT_MEMORY_ID }],
  [createDeleteMemoryTool(), { tags: ['x'] }],
] as const;
const health = createCheckDatabaseHealthTool();

describe('MCP tools with a failing service', () => {
  let stub: StubInstance;

  beforeEach(async () => {
    stub = await openStubInstance('service');
  });

  afterEach(() => stub.close());

  async function expectReported(reason: RegExp, advice: RegExp, options: ToolOptions = {}): Promise<void> {
    for (const [tool, input] of WRITES) {
      const { isError, fullText: all } = await callTool(tool, input, stub.url, options);
      expect([isError, all], `${tool.name} ${JSON.stringify(input)}`).to.satisfy(
        ([is, text]: [boolean, string]) => is && reason.test(text) && advice.test(text),
      );
      expect(all).to.match(/Nothing was written|may have been (?:stored|carried out)|It is not known/iu);
    }
    const { isError, fullText: all, fields } = await callTool(health, {}, stub.url, options);
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
    it(`report for ${status} the reason, the effect and what to do`, async () => {
      stub.respondWith((_, response) => answerJson(response, status, body));

      await expectReported(reason, advice);
    });
  }

  it('report truncated JSON', async () => {
    stub.respondWith((_, response) => response.writeHead(200).end('{"memory_id": "'));

    await expectReported(/Invalid JSON response \(200\)/u, /AUTOMEM_API_URL/u);
  });

  it('report a service that is down', async () => {
    await stub.close();

    await expectReported(/cannot be reached/u, /AUTOMEM_API_URL/u);
  });

  it('report a service that is slow', async () => {
    stub.respondWith(() => undefined);

    await expectReported(/did not answer in time/u, /check_database_health/u, { timeoutMs: 20, retryDelaysMs: [] });
  });

  it('treat an answer without an id as a failure', async () => {
    stub.respondWith((_, response) => answerJson(response, 200, { status: 'ok' }));

    for (const [tool, input] of WRITES.slice(0, 3)) {
      const { isError, fullText: all } = await callTool(tool, input, stub.url);
      expect([isError, all], all).to.satisfy(
        ([is, text]: [boolean, string]) => is && /names no memory_ids?/u.test(text),
      );
    }
    expect((await callTool(health, {}, stub.url)).fields).to.include({ status: 'error' });
  });

  it('end a call that is cancelled', async () => {
    stub.respondWith(() => undefined);
    for (const [tool, input] of WRITES) {
      const caller = new AbortController();
      const reached = stub.requests.length + 1;
      const called = callTool(tool, input, stub.url, { signal: caller.signal });
      await until('the request is there', () => stub.requests.length === reached);
      caller.abort();
      expect((await called).fullText).to.match(/^Error: The call was cancelled/u);
    }
  });
});

describe('MCP tools with a wrong API key', () => {
  it('name the variable to set, and work with the right key', async () => {
    const service = await startService({ variables: { SERVICE_API_TOKEN: 'right' } });
    const [tool, input] = WRITES[0];

    for (const options of [{}, { token: 'wrong' }]) {
      expect((await callTool(tool, input, service.url, options)).fullText).to.match(
        /^Error: Unauthorized\nNothing was written\.\n.*AUTOMEM_API_KEY/u,
      );
    }
    expect((await callTool(tool, input, service.url, { token: 'right' })).isError).to.equal(undefined);
    expect((await callTool(health, {}, service.url)).fields).to.include({ backend: 'automem' });
    await service.close();
  });

  it('report that the graph is down', async () => {
    const service = await startService();
    const id = await store(service);
    service.breakers.graph.break();

    const { fullText: all } = await callTool(createUpdateMemoryTool(), { memory_id: id, importance: 1 }, service.url);

    expect(all).to.match(/^Error: Graph database unavailable\n.*\n.*check_database_health/u);
    await service.close();
  });
});
