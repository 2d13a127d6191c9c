/** The bridge over HTTP as a process: its start, its health report on the service, and its shutdown. */
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { until } from '../../support/checks/until.js';
import { connectTo } from '../../support/clients/mcp.js';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { type Child, startChild } from '../../support/processes/child-process.js';
import { answerJson, openStubInstance, type StubInstance } from '../../support/servers/stub-instance.js';

const URI = 'memory://00000000-0000-4000-8000-000000000001';

describe('MCP bridge process over HTTP', () => {
  let upstream: StubInstance;
  let folder: TempFolder;
  let child: Child;
  let url: string;
  beforeEach(async () => {
    [upstream, folder] = await Promise.all([openStubInstance('service'), createTempFolder()]);
    upstream.respondWith((_, response) => answerJson(response, 200, { status: 'healthy' }));
    child = startChild({
      main: 'deploy/mcp/main.js',
      arguments: ['--http'],
      folder: folder.path,
      variables: { PORT: '0', AUTOMEM_API_URL: upstream.url, AUTOMEM_API_KEY: 'own-token', LOG_LEVEL: 'debug' },
    });
    const [, port] = await child.prints(/speaks MCP on http:\/\/localhost:(\d+)\/mcp/u);
    url = `http://127.0.0.1:${port}`;
  });
  afterEach(async () => {
    await child.stop('SIGKILL');
    await Promise.all([upstream.close(), folder.remove()]);
  });

  const read = async (path: string): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> => {
    const answer = await fetch(url + path);
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };

  it('keeps its own token to itself, and logs no tokens or queries', async () => {
    expect((await fetch(`${url}/mcp`, { method: 'POST', body: '{}' })).status).to.equal(401);
    const client = await connectTo(`${url}/mcp?api_key=of-the-caller&note=private`);
    await client.readResource({ uri: URI });
    await client.close();
    const sent = upstream.requests.map(({ headers }) => headers.authorization);
    expect([...new Set(sent.filter((header) => header !== undefined))]).to.deep.equal(['Bearer of-the-caller']);
    await until('the request is logged', () => child.output().includes('"path":"/mcp"'));
    expect(child.output()).to.not.match(/own-token|of-the-caller|private/u);
  });

  it('reports whether the service answers', async () => {
    await until('it is healthy', async () => (await read('/health')).body['status'] === 'healthy');
    const ready = await read('/ready');
    expect(ready.status).to.equal(200);
    expect(ready.body).to.deep.include({
      upstream: 'reachable',
      upstream_error: null,
      upstream_details: { status: 'healthy' },
      endpoints: { mcp: '/mcp', health: '/health', ready: '/ready' },
    });
    expect(ready.body).to.include.keys('transports', 'checked_at', 'timestamp', 'request_id');
    await upstream.close();
    await until('it is not ready', async () => (await read('/ready')).status === 503);
    const { status, body } = await read('/health');
    expect([status, body['status'], body['upstream']]).to.deep.equal([200, 'degraded', 'unreachable']);
    expect(body['upstream_error']).to.include('cannot be reached');
  });

  it('finishes a running call at shutdown', async () => {
    const client = await connectTo(`${url}/mcp`, { 'x-api-key': 't' });
    const taken = new Promise<ServerResponse>((resolve) => upstream.respondWith((_, response) => resolve(response)));
    const answer = client.readResource({ uri: URI });
    const response = await taken;
    child.signal('SIGTERM');
    await child.prints(/stopping/u);
    answerJson(response, 200, { memory: { content: 'to the end' } });
    expect(JSON.stringify(await answer)).to.include('to the end');
    await client.close();
    expect(await child.ended).to.equal(0);
  });
});
