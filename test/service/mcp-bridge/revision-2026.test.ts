/** The bridge over HTTP in revision 2026-07-28: the limits and the ends of calls are those of the other revisions. */
import { expect } from 'chai';
import { until } from '../../support/checks/until.js';
import { type HttpBridge, openHttpBridge } from '../../support/clients/mcp.js';
import { headers2026, message2026 } from '../../support/clients/mcp-2026.js';
import { callingService, type HeldTool, makeHeldTool, steps } from '../../support/fixtures/mcp-tools.js';
import { answerJson, openStubInstance, type StubInstance } from '../../support/servers/stub-instance.js';

const LIST = { id: 1, method: 'tools/list' };
const DISCOVER = { id: 1, method: 'server/discover' };
const UNSUPPORTED_VERSION = -32_022;
const HEADER_MISMATCH = -32_020;

describe('MCP 2026-07-28 over HTTP', () => {
  let upstream: StubInstance;
  let held: HeldTool;
  let bridge: HttpBridge;
  beforeEach(async () => {
    upstream = await openStubInstance('service');
    held = makeHeldTool();
    bridge = await openHttpBridge({ url: upstream.url, tools: [callingService, steps, held.tool] });
  });
  afterEach(async () => {
    await bridge.close();
    await upstream.close();
  });

  type Sent = Parameters<typeof message2026>[0];
  const send = (sent: Sent, headers: Record<string, string> = {}, body: unknown = message2026(sent)) =>
    fetch(bridge.mcpUrl, {
      method: 'POST',
      headers: { ...headers2026(sent), authorization: 'Bearer of-the-caller', ...headers },
      body: JSON.stringify(body),
    });
  const call = (name: string, _meta: object = {}): Sent => ({
    id: 7,
    method: 'tools/call',
    params: { name, arguments: {}, _meta },
  });

  it('names its revisions, capabilities and instructions', async () => {
    const answer = await send(DISCOVER);
    expect([answer.status, answer.headers.get('mcp-session-id')]).to.deep.equal([200, null]);
    const { result } = (await answer.json()) as { result: Record<string, unknown> };
    expect(result['supportedVersions']).to.include('2026-07-28');
    expect(result['capabilities']).to.deep.equal({ tools: {}, resources: {}, prompts: {} });
    expect(result['instructions']).to.include('recall_memory');
  });

  it('forwards the token of each caller', async () => {
    await send(call('asking'), { authorization: 'Bearer t-1' });
    expect(upstream.requests.at(-1)).to.have.nested.property('headers.authorization', 'Bearer t-1');
  });

  it('rejects a discovery with a token that the service refuses', async () => {
    upstream.respondWith((_, response) => answerJson(response, 401, { status: 'error', code: 401, message: 'no' }));
    expect((await send(DISCOVER)).status).to.equal(401);
  });

  const refused: readonly (readonly [string, number, RegExp, () => Promise<Response>])[] = [
    ['a caller without a token', 401, /Missing API token/u, () => send(LIST, { authorization: '' })],
    ['a page of another origin', 403, /MCP_ALLOWED_ORIGINS/u, () => send(LIST, { origin: 'https://evil.example' })],
    ['another content type', 415, /application\/json/u, () => send(LIST, { 'content-type': 'text/plain' })],
    ['a batch', 400, /batch/iu, () => send(LIST, {}, [message2026(LIST), message2026(LIST)])],
    ['a batch of 51 messages', 400, /at most 50/u, () => send(LIST, {}, Array(51).fill(message2026(LIST)))],
    ['a message that names no version', 400, /envelope/u, () => send(LIST, {}, { jsonrpc: '2.0', ...LIST })],
    [
      'a large discovery',
      400,
      /at most 65536 bytes/u,
      () => send({ ...DISCOVER, params: { _meta: { text: 'x'.repeat(65_536) } } }),
    ],
    [
      'headers of another method',
      400,
      new RegExp(String(HEADER_MISMATCH), 'u'),
      () => send(LIST, { 'mcp-method': 'x' }),
    ],
    [
      'an unknown version and names its own',
      400,
      new RegExp(`${UNSUPPORTED_VERSION}.*2026-07-28`, 'u'),
      () => send(LIST, { 'mcp-protocol-version': '2999-01-01' }, message2026(LIST, '2999-01-01')),
    ],
  ];
  for (const [what, status, text, post] of refused) {
    it(`rejects ${what} with ${status}`, async () => {
      const answer = await post();
      expect([answer.status, await answer.text()]).to.satisfy(
        ([given, body]: [number, string]) => given === status && text.test(body),
      );
    });
  }

  it('answers with JSON, or with events if progress is requested', async () => {
    const plain = await send(call('steps'));
    expect(plain.headers.get('content-type')).to.equal('application/json');
    expect(await plain.text()).to.include('"message":"done"');
    const streamed = await send(call('steps', { progressToken: 'p' }));
    expect(streamed.headers.get('content-type')).to.equal('text/event-stream');
    const events = [...(await streamed.text()).matchAll(/^data: (?<data>.*)$/gmu)].map(({ groups }) =>
      JSON.parse(groups?.['data'] ?? ''),
    );
    expect(events.map(({ params, result }) => params?.progress ?? result.content[0].text)).to.deep.equal([
      1,
      2,
      3,
      'done',
    ]);
  });

  it('acknowledges a subscription to nothing and ends it', async () => {
    const listen = { id: 3, method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true } } };
    const text = await (await send(listen)).text();
    expect(text).to.include('notifications/subscriptions/acknowledged').and.include('"notifications":{}');
    expect(text).to.include('"result"');
  });

  it('aborts a call whose client has disconnected', async () => {
    for (const meta of [{}, { progressToken: 1 }]) {
      const before = held.calls();
      const hangUp = new AbortController();
      const sent = call('held', meta);
      const answer = fetch(bridge.mcpUrl, {
        method: 'POST',
        headers: { ...headers2026(sent), authorization: 'Bearer of-the-caller' },
        body: JSON.stringify(message2026(sent)),
        signal: hangUp.signal,
      })
        .then((response) => response.text())
        .catch(() => 'gone');
      await until('the call is running', () => held.calls() > before);
      hangUp.abort();
      expect(await answer).to.equal('gone');
      await until('the call is aborted', () => held.aborted() === held.calls());
    }
  });

  it('finishes running calls before it stops', async () => {
    const answer = send(call('held'));
    await until('the call is running', () => held.calls() === 1);
    const closed = bridge.close();
    held.release();
    expect(await (await answer).text()).to.include('released');
    await closed;
  });
});
