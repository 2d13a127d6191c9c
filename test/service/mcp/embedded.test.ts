/** MCP on the service's own port: service and bridge are one process. */
import { expect } from 'chai';
import { rejection } from '../../support/checks/rejection.js';
import { until } from '../../support/checks/until.js';
import { connectTo } from '../../support/clients/mcp.js';
import { type Service, type ServiceOptions, startService } from '../../support/processes/service.js';

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

describe('MCP on the port of the service', () => {
  let service: Service | undefined;
  afterEach(async () => {
    await service?.close();
    service = undefined;
  });

  async function start(variables: Readonly<Record<string, string>>, alter?: ServiceOptions['alter']): Promise<Service> {
    service = await startService({ variables, ...(alter === undefined ? {} : { alter }) });
    return service;
  }

  it('answers 404 unless MCP_ENABLED is set', async () => {
    const { url } = await start({});
    expect((await fetch(`${url}/mcp`, { method: 'POST', headers: HEADERS, body: LIST })).status).to.equal(404);
  });

  it('needs no token if the service has none', async () => {
    const { url, request } = await start({ MCP_ENABLED: 'true' });
    const { body } = await request('POST', '/memory', { body: { content: 'The ferry leaves at noon' } });
    const client = await connectTo(`${url}/mcp`);
    const { contents } = await client.readResource({ uri: `memory://${body.memory_id}` });
    expect(JSON.stringify(contents)).to.include('The ferry leaves at noon');
    await client.close();
  });

  it('requires a token that the service checks', async () => {
    const { url, request } = await start({ MCP_ENABLED: 'true', SERVICE_API_TOKEN: 'secret' });
    expect((await fetch(`${url}/mcp`, { method: 'POST', headers: HEADERS, body: LIST })).status).to.equal(401);
    const { body } = await request('POST', '/memory', {
      body: { content: 'Only for friends' },
      headers: { authorization: 'Bearer secret' },
    });
    const uri = `memory://${body.memory_id}`;
    const connectWith = (token: string) => connectTo(`${url}/mcp`, { authorization: `Bearer ${token}` });
    const friend = await connectWith('secret');
    expect(JSON.stringify(await friend.readResource({ uri }))).to.include('Only for friends');
    expect((await rejection(connectWith('guess'))).message).to.include('does not accept this API token');
    await friend.close();
  });

  it('finishes a running call when the service stops', async () => {
    let openGate = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      openGate = resolve;
    });
    let [isHeld, isRunning] = [false, false];
    const held = await start({ MCP_ENABLED: 'true' }, (engines) => ({
      ...engines,
      graph: {
        ...engines.graph,
        memories: async (ids) => {
          isRunning = isHeld;
          if (isHeld) await gate;
          return engines.graph.memories(ids);
        },
      },
    }));
    const { body } = await held.request('POST', '/memory', { body: { content: 'The last train leaves at one' } });
    await held.settled();
    const client = await connectTo(`${held.url}/mcp`);
    isHeld = true;
    const answer = client.readResource({ uri: `memory://${body.memory_id}` });
    await until('the call is running', () => isRunning);
    service = undefined;
    const closed = held.close();
    openGate();
    expect(JSON.stringify(await answer)).to.include('The last train leaves at one');
    await client.close();
    await closed;
  });

  it('rejects foreign web pages on /mcp only', async () => {
    const { url, request } = await start({ MCP_ENABLED: 'true' });
    expect(
      (
        await fetch(`${url}/mcp`, {
          method: 'POST',
          headers: { ...HEADERS, origin: 'https://evil.example' },
          body: LIST,
        })
      ).status,
    ).to.equal(403);
    expect((await fetch(`${url}/mcp`)).status).to.equal(405);
    expect((await request('GET', '/health')).status).to.equal(200);
    expect((await request('GET', '/mcp/sse')).status).to.equal(404);
  });
});
