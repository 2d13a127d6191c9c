/** MCP on the service's own port: one process is the whole thing. */
import { expect } from 'chai';
import { connectTo } from '../support/mcp.js';
import { startService, type Service, type ServiceOptions } from '../support/service.js';
import { until } from '../support/until.js';

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

  it('is not there unless it is asked for', async () => {
    const { url } = await start({});
    expect((await fetch(`${url}/mcp`, { method: 'POST', headers: HEADERS, body: LIST })).status).to.equal(404);
  });

  it('needs no token where the service has none', async () => {
    const { url, request } = await start({ MCP_ENABLED: 'true' });
    const { body } = await request('POST', '/memory', { body: { content: 'The ferry leaves at noon' } });
    const client = await connectTo(`${url}/mcp`);
    const { contents } = await client.readResource({ uri: `memory://${body.memory_id}` });
    expect(JSON.stringify(contents)).to.include('The ferry leaves at noon');
    await client.close();
  });

  it('asks for the token where the service has one, and hands it on to be judged there', async () => {
    const { url, request } = await start({ MCP_ENABLED: 'true', SERVICE_API_TOKEN: 'secret' });
    expect((await fetch(`${url}/mcp`, { method: 'POST', headers: HEADERS, body: LIST })).status).to.equal(401);
    const { body } = await request('POST', '/memory', {
      body: { content: 'Only for friends' },
      headers: { authorization: 'Bearer secret' },
    });
    const uri = `memory://${body.memory_id}`;
    const [friend, stranger] = await Promise.all(
      ['secret', 'guess'].map((token) => connectTo(`${url}/mcp`, { authorization: `Bearer ${token}` })),
    );
    expect(JSON.stringify(await friend?.readResource({ uri }))).to.include('Only for friends');
    expect(await stranger?.readResource({ uri }).catch(({ message }: Error) => message)).to.include('Unauthorized');
    await Promise.all([friend?.close(), stranger?.close()]);
  });

  it('finishes the call that is under way when the service stops', async () => {
    let goOn = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let [isHeld, isUnderWay] = [false, false];
    const held = await start({ MCP_ENABLED: 'true' }, (engines) => ({
      ...engines,
      graph: {
        ...engines.graph,
        memories: async (ids) => {
          isUnderWay = isHeld;
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
    await until('the call is under way', () => isUnderWay);
    service = undefined;
    const closed = held.close();
    goOn();
    expect(JSON.stringify(await answer)).to.include('The last train leaves at one');
    await client.close();
    await closed;
  });

  it('keeps pages of others out, and leaves every other path as it is', async () => {
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
