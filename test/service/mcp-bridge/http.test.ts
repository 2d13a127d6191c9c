/**
 * The bridge over HTTP: which callers it accepts, which requests it rejects and how, and what happens to running calls.
 */
import { request as httpRequest } from 'node:http';
import { expect } from 'chai';
import { until } from '../../support/checks/until.js';
import { type HttpBridge, openHttpBridge } from '../../support/clients/mcp.js';
import { callingService, type HeldTool, makeHeldTool, steps } from '../../support/fixtures/mcp-tools.js';
import { answerJson, openStubInstance, type StubInstance } from '../../support/servers/stub-instance.js';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

describe('MCP bridge over HTTP', () => {
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

  const post = (
    body: unknown,
    { headers = {}, query = '' }: { readonly headers?: Record<string, string>; readonly query?: string } = {},
  ): Promise<Response> =>
    fetch(bridge.mcpUrl + query, {
      method: 'POST',
      headers: { ...HEADERS, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const withToken = { headers: { authorization: 'Bearer of-the-caller' } };
  const call = (name: string, _meta?: object): object => ({
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: { name, arguments: {}, ...(_meta && { _meta }) },
  });

  it('rejects a caller without a token and says how to send one', async () => {
    const answer = await post(LIST);
    expect(answer.status).to.equal(401);
    expect(await answer.json()).to.include({
      error: 'Missing API token (use Authorization: Bearer, X-API-Key, or ?api_key=)',
    });
    const blanks: Record<string, string>[] = [
      { authorization: 'Bearer ' },
      { 'x-api-key': ' ' },
      { authorization: 'Basic abc' },
    ];
    for (const headers of blanks) expect((await post(LIST, { headers })).status).to.equal(401);
  });

  it('forwards the token of the caller from every place it may be in', async () => {
    const ways: NonNullable<Parameters<typeof post>[1]>[] = [
      { headers: { authorization: 'Bearer t-1' } },
      { headers: { 'x-api-key': 't-1' } },
      { headers: { 'x-api-token': 't-1' } },
      { query: '?api_key=t-1' },
      { query: '?apiKey=t-1' },
      { query: '?api_token=t-1' },
    ];
    for (const way of ways) {
      const answer = await post(call('asking'), way);
      expect(answer.status).to.equal(200);
      expect(await answer.text()).to.include('answered 200');
      expect(upstream.requests.at(-1))
        .to.deep.include({ url: '/memory/by-tag?tags=any' })
        .and.nested.include({ 'headers.authorization': 'Bearer t-1' });
    }
  });

  it('rejects an empty Bearer, and tokens unfit for a header', async () => {
    expect((await post(LIST, { headers: { authorization: 'Bearer', 'x-api-key': 't-1' } })).status).to.equal(401);
    expect((await post(LIST, { query: '?api_key=a%0d%0ab' })).status).to.equal(401);
  });

  it('keeps a request id, or creates one', async () => {
    const id = '5f2b0c5e-0000-4000-8000-000000000001';
    expect(
      (await post(LIST, { headers: { ...withToken.headers, 'x-request-id': id } })).headers.get('x-request-id'),
    ).to.equal(id);
    expect((await post(LIST)).headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/u);
  });

  it('answers with JSON, or with an event stream if progress is requested', async () => {
    const plain = await post(call('steps'), withToken);
    expect(plain.headers.get('content-type')).to.equal('application/json');
    expect(plain.headers.get('mcp-session-id')).to.equal(null);
    const streamed = await post(call('steps', { progressToken: 'p' }), withToken);
    expect(streamed.headers.get('content-type')).to.equal('text/event-stream');
    const events = (await streamed.text())
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice(6)));
    expect(events.map(({ params, result }) => params?.progress ?? result.content[0].text)).to.deep.equal([
      1,
      2,
      3,
      'done',
    ]);
  });

  const refused: readonly (readonly [string, number, RegExp, () => Promise<Response>])[] = [
    ['a body that is not JSON', 400, /not JSON/u, () => post('{"jsonrpc":', withToken)],
    [
      'a body that is not in UTF-8',
      400,
      /not JSON/u,
      () =>
        fetch(bridge.mcpUrl, {
          method: 'POST',
          headers: { ...HEADERS, ...withToken.headers },
          body: new Uint8Array([0x22, 0xff, 0x22]),
        }),
    ],
    ['JSON that is not a message', 400, /JSON-RPC/u, () => post({ hello: 'world' }, withToken)],
    ['arguments nested too deep', 400, /nested/u, () => post('['.repeat(5_000) + ']'.repeat(5_000), withToken)],
    ['a body over 4 MB', 413, /4194304 bytes/u, () => post(`"${'x'.repeat(5 * 1024 * 1024)}"`, withToken)],
    [
      'an Accept header without JSON',
      406,
      /Accept|accept/u,
      () => post(LIST, { headers: { ...withToken.headers, accept: 'text/html' } }),
    ],
    [
      'a content type other than JSON',
      415,
      /application\/json/u,
      () => post(LIST, { headers: { ...withToken.headers, 'content-type': 'text/plain' } }),
    ],
    ['GET', 405, /POST/u, () => fetch(bridge.mcpUrl, { headers: HEADERS })],
    ['DELETE', 405, /POST/u, () => fetch(bridge.mcpUrl, { method: 'DELETE' })],
    ['another path', 404, /\/mcp/u, () => fetch(`${bridge.url}/sse`)],
    [
      'a page of another origin',
      403,
      /MCP_ALLOWED_ORIGINS/u,
      () => post(LIST, { headers: { ...withToken.headers, origin: 'https://evil.example' } }),
    ],
  ];
  for (const [what, status, text, send] of refused) {
    it(`rejects ${what} with ${status} and says what to do`, async () => {
      const answer = await send();
      expect(answer.status).to.equal(status);
      expect(await answer.text()).to.match(text);
    });
  }

  /** Sets the Host header, which `fetch` does not allow. */
  const statusUnder = (host: string, { mcpUrl }: HttpBridge = bridge): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const sent = httpRequest(
        mcpUrl,
        { method: 'POST', headers: { ...HEADERS, ...withToken.headers, host } },
        (answer) => resolve(answer.resume().statusCode),
      );
      sent.on('error', reject).end(JSON.stringify(LIST));
    });

  it('rejects a foreign Host name and accepts the names of this machine', async () => {
    const port = new URL(bridge.url).port;
    for (const host of ['evil.example', `evil.example:${port}`, 'localhost.evil.example', '127.0.0.1.evil.example'])
      expect(await statusUnder(host), host).to.equal(403);
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, 'LOCALHOST'])
      expect(await statusUnder(host), host).to.equal(200);
  });

  it('accepts configured origins, hosts and anonymous callers', async () => {
    const open = await openHttpBridge({
      url: upstream.url,
      variables: {
        MCP_ALLOWED_ORIGINS: 'https://app.example',
        MCP_ALLOWED_HOSTS: 'memory.example',
        MCP_ALLOW_ANONYMOUS: 'true',
      },
    });
    const answer = await fetch(open.mcpUrl, {
      method: 'POST',
      headers: { ...HEADERS, origin: 'https://app.example' },
      body: JSON.stringify(LIST),
    });
    expect(answer.status).to.equal(200);
    expect([await statusUnder('memory.example:443', open), await statusUnder('other.example', open)]).to.deep.equal([
      200, 403,
    ]);
    await open.close();
  });

  it('answers many clients concurrently, each with its own token', async () => {
    upstream.respondWith((request, response) =>
      answerJson(response, request.headers.authorization?.startsWith('Bearer good') ? 200 : 401, {
        message: 'Unauthorized',
      }),
    );
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const token = `${index % 2 === 0 ? 'good' : 'bad'}-${index}`;
        const answer = await post(call('asking'), { headers: { authorization: `Bearer ${token}` } });
        const { result } = (await answer.json()) as { result: { structuredContent: { message: string } } };
        return result.structuredContent.message;
      }),
    );
    expect(answers).to.deep.equal(answers.map((_, index) => (index % 2 === 0 ? 'answered 200' : 'refused 401')));
  });

  it('aborts a call whose client has disconnected', async () => {
    for (const meta of [undefined, { progressToken: 1 }]) {
      const before = held.calls();
      const hangUp = new AbortController();
      const answer = fetch(bridge.mcpUrl, {
        method: 'POST',
        headers: { ...HEADERS, ...withToken.headers },
        body: JSON.stringify(call('held', meta)),
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
    const answer = post(call('held'), withToken);
    await until('the call is running', () => held.calls() === 1);
    const closed = bridge.close();
    held.release();
    expect(await (await answer).text()).to.include('released');
    await closed;
    expect(await fetch(bridge.url).catch(() => 'connection refused')).to.equal('connection refused');
  });
});
