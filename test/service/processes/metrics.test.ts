/**
 * `GET /metrics` of the embedded service of each process of the distributed composition, which serves it while it waits
 * for its servers, of the router and of the MCP bridge.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'chai';
import { until } from '../../support/checks/until.js';
import { scrape } from '../../support/clients/scrape.js';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { startChild } from '../../support/processes/child-process.js';
import { type ChildService, runChildService, startChildService } from '../../support/processes/child-service.js';
import { freePort } from '../../support/processes/free-port.js';

const WORD = 'zanzibar';
/** The address of a port that no process listens on. */
const nowhere = async () => `http://127.0.0.1:${await freePort()}`;

describe('metrics', () => {
  let folder: TempFolder;
  before(async () => (folder = await createTempFolder()));
  after(() => folder.remove());

  describe('of the embedded service', () => {
    let service: ChildService;
    let port: number;
    before(async () => {
      port = await freePort();
      service = await startChildService({ dataFolder: folder.path, variables: { METRICS_PORT: String(port) } });
    });
    after(() => service.stop('SIGTERM'));

    const get = (path = '/metrics', method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method });

    it('count requests by operation and status, and recall stages', async () => {
      const stored = await service.request('POST', '/memory', { body: { content: `A house in ${WORD}` } });
      await service.request('GET', `/recall?query=${WORD}`);
      await service.request('GET', '/memory/not-an-id');
      await service.request('GET', `/${WORD}`);
      const response = await get();
      const text = await response.text();
      expect(response.headers.get('content-type')).to.match(/^text\/plain; version=0\.0\.4/u);
      const counted = (labels: string): boolean =>
        text.includes(`palimpsest_request_duration_seconds_count{${labels}} 1\n`);
      expect(counted('operation="storeMemory",status="201"'), text).to.equal(true);
      expect(counted('operation="recall",status="200"'), text).to.equal(true);
      expect(counted('operation="getMemory",status="400"'), text).to.equal(true);
      expect(counted('operation="none",status="404"'), text).to.equal(true);
      for (const stage of ['retrieve', 'encode', 'hydrate', 'score'])
        expect(text).to.contain(`palimpsest_recall_stage_duration_seconds_count{stage="${stage}"} 1\n`);
      expect(text).to.not.contain(WORD);
      expect(text).to.not.contain(stored.body.memory_id);
    });

    it('are the only page of their port', async () => {
      expect((await get('/health')).status).to.equal(404);
      const posted = await get('/metrics', 'POST');
      expect([posted.status, posted.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
      expect((await get('/metrics?name[]=x', 'HEAD')).status).to.equal(200);
    });

    it('are not on the port of the API', async () => {
      expect((await service.request('GET', '/metrics')).status).to.equal(404);
    });

    it('refuse a port that is taken, by the name of its variable', async () => {
      const other = await createTempFolder();
      const { exitCode, output } = await runChildService({
        dataFolder: other.path,
        variables: { METRICS_PORT: String(port) },
      });
      await other.remove();
      expect(exitCode).to.equal(1);
      expect(output).to.contain(`METRICS_PORT ${port} is in use by another process`);
    });
  });

  it('of the router count requests by API and status', async () => {
    const [port, metricsPort] = [await freePort(), await freePort()];
    const variables = {
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      GATEWAY_QUERY_API_URLS: await nowhere(),
    };
    const child = startChild({ main: 'deploy/gateway/main.js', folder: folder.path, variables });
    try {
      await child.prints(/Palimpsest listens on/u);
      expect((await fetch(`http://127.0.0.1:${port}/recall`)).status).to.equal(502);
      const counted = 'palimpsest_gateway_request_duration_seconds_count';
      await until(
        'the count',
        async () => (await scrape(metricsPort))?.value(counted, 'api="query",status="502"') === 1,
      );
    } finally {
      await child.stop('SIGTERM');
    }
  });

  it('of the MCP bridge over HTTP count the calls of tools', async () => {
    const [port, metricsPort] = [await freePort(), await freePort()];
    const variables = {
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      MCP_ALLOW_ANONYMOUS: 'true',
      AUTOMEM_API_URL: await nowhere(),
    };
    const child = startChild({ main: 'deploy/mcp/main.js', arguments: ['--http'], folder: folder.path, variables });
    try {
      await child.prints(/speaks MCP on/u);
      const client = new Client({ name: 'test', version: '0' });
      await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)));
      await client.callTool({ name: 'recall_memory', arguments: { query: WORD } });
      await client.close();
      const labels = 'tool="recall_memory",outcome="failed"';
      expect((await scrape(metricsPort))?.value('palimpsest_tool_duration_seconds_count', labels)).to.equal(1);
    } finally {
      await child.stop('SIGTERM');
    }
  });

  for (const name of ['command-api', 'command-api/relay', 'query-api', 'projectors']) {
    it(`are served while its servers are down: ${name}`, async () => {
      const [port, unused] = [await freePort(), await freePort()];
      const child = startChild({
        main: `${name}/main.js`,
        folder: folder.path,
        variables: {
          PORT: '0',
          METRICS_PORT: String(port),
          LOG_LEVEL: 'info',
          INTERNAL_API_TOKEN: 'internal',
          POSTGRES_URL: `postgres://user:secret@127.0.0.1:${unused}/memories`,
          NEO4J_URL: `bolt://127.0.0.1:${unused}`,
          NEO4J_PASSWORD: 'secret',
          KAFKA_BROKERS: `127.0.0.1:${unused}`,
          QDRANT_URL: `http://127.0.0.1:${unused}`,
        },
      });
      try {
        await child.prints(/cannot be used yet/u);
        const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
        expect(text).to.contain(`palimpsest_build_info{service="${name.split('/').at(-1)}"`);
      } finally {
        await child.stop('SIGTERM');
      }
    });
  }
});
