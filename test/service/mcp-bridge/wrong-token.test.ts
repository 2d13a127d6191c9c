/** Over HTTP, a wrong token is rejected when the client connects. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect } from 'chai';
import { type HttpBridge, openHttpBridge } from '../../support/clients/mcp.js';
import { callingService } from '../../support/fixtures/mcp-tools.js';
import { answerJson, openStubInstance, type StubInstance } from '../../support/servers/stub-instance.js';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

describe('MCP initialize over HTTP', () => {
  let upstream: StubInstance;
  let bridge: HttpBridge;
  before(async () => {
    upstream = await openStubInstance('service');
    bridge = await openHttpBridge({ url: upstream.url, tools: [callingService] });
  });
  after(async () => {
    await bridge.close();
    await upstream.close();
  });

  const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const post = (token: string, body: object): Promise<Response> =>
    fetch(bridge.mcpUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify(body),
    });
  const initialize = (token: string): Promise<Response> => post(token, INITIALIZE);

  it('answers 401 for a token that the service refuses', async () => {
    upstream.respondWith(({ headers }, response) =>
      headers.authorization === 'Bearer right'
        ? answerJson(response, 200, { subscribers: 0, instance: 'a' })
        : answerJson(response, 401, { status: 'error', code: 401, message: 'Unauthorized' }),
    );
    const refused = await initialize('wrong');
    expect([refused.status, refused.headers.get('www-authenticate')]).to.deep.equal([401, 'Bearer realm="palimpsest"']);
    expect((await initialize('right')).status).to.equal(200);
  });

  it('answers 401 for it to a batch', async () => {
    const batch = [LIST, { ...LIST, id: 2 }];
    expect((await post('wrong', batch)).status).to.equal(401);
    expect((await post('right', batch)).status).to.equal(200);
  });

  it('answers 401 for it before a large body has arrived', async () => {
    const large = { ...LIST, params: { _meta: { padding: 'x'.repeat(100_000) } } };
    expect((await post('right', large)).status).to.equal(200);
    const sending = request(bridge.mcpUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': 100_000, authorization: 'Bearer wrong' },
    });
    sending.on('error', () => undefined);
    sending.write('{');
    const [answer] = (await once(sending, 'response')) as [IncomingMessage];
    expect(answer.statusCode).to.equal(401);
    sending.destroy();
  });

  it('answers 400 to a batch of more than 50 messages', async () => {
    const batch = Array.from({ length: 51 }, (_, id) => ({ ...LIST, id }));
    const answer = await post('right', batch);
    expect([answer.status, await answer.text()].join(' ')).to.match(/^400 .*at most 50 messages/u);
    expect((await post('right', batch.slice(1))).status).to.equal(200);
  });

  it('answers 400 to one with more than 64 KB', async () => {
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { capabilities: { text: 'x'.repeat(65_536) } },
    };
    const answer = await post('right', message);
    expect([answer.status, await answer.text()].join(' ')).to.match(/^400 .*at most 65536 bytes/u);
  });

  it('answers 200 while the service does not answer', async () => {
    upstream.respondWith((_, response) => answerJson(response, 503, { status: 'error', code: 503, message: 'down' }));
    expect((await initialize('any')).status).to.equal(200);
  });
});
