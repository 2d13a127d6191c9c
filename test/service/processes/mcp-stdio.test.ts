/** The bridge over stdio as a process: it runs exactly as long as its client. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { REPOSITORY } from '../../support/checks/source-files.js';
import { until } from '../../support/checks/until.js';
import { connectMcp, MCP_MAIN } from '../../support/clients/mcp.js';
import { message2026 } from '../../support/clients/mcp-2026.js';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import {
  INITIALIZE,
  type McpChild,
  type McpChildOptions,
  messagesIn,
  spawnMcp,
} from '../../support/processes/mcp-child.js';
import { answerJson, openStubInstance, type StubInstance } from '../../support/servers/stub-instance.js';

const URI = 'memory://00000000-0000-4000-8000-000000000001';
const READ = { id: 5, method: 'resources/read', params: { uri: URI } };
/** Without an abort the process waits for the answer, which does not come. */
const PROMPT_MS = 10_000;

describe('MCP bridge process over stdio', () => {
  let upstream: StubInstance;
  let folder: TempFolder;
  let child: McpChild | undefined;
  beforeEach(async () => {
    [upstream, folder] = await Promise.all([openStubInstance('service'), createTempFolder()]);
  });
  afterEach(async () => {
    child?.process.kill('SIGKILL');
    await child?.ended;
    child = undefined;
    await Promise.all([upstream.close(), folder.remove()]);
  });

  async function start(options: Partial<McpChildOptions> = {}): Promise<McpChild> {
    const started = spawnMcp({ url: upstream.url, folder: folder.path, ...options });
    child = started;
    started.send(INITIALIZE);
    await started.answerTo(0);
    started.send({ method: 'notifications/initialized' });
    return started;
  }

  /** A call that the service has received and does not answer until the test does. */
  async function startCall(of: McpChild): Promise<ServerResponse> {
    const taken = new Promise<ServerResponse>((resolve) => upstream.respondWith((_, response) => resolve(response)));
    of.send(READ);
    return taken;
  }

  it('exits with 0 when stdin is closed', async () => {
    const bridge = await start();
    bridge.process.stdin.end();
    expect(await bridge.ended).to.equal(0);
  });

  it('aborts a call and exits with 0 when stdin closes', async () => {
    const bridge = await start();
    const response = await startCall(bridge);
    const closed = once(response, 'close');
    const begin = performance.now();
    bridge.process.stdin.end();
    expect(await bridge.ended).to.equal(0);
    expect(performance.now() - begin).to.be.below(PROMPT_MS);
    await closed;
  });

  it('answers piped requests before it exits', async () => {
    const bridge = await start();
    const response = await startCall(bridge);
    bridge.process.stdin.end();
    await until('the bridge is stopping', () => bridge.stderr().includes('stopping'));
    answerJson(response, 200, { memory: { content: 'just in time' } });
    expect(await bridge.ended).to.equal(0);
    expect((await bridge.answerTo(READ.id)).result).to.have.nested.property('contents[0].uri', URI);
  });

  it('answers piped requests of 2026-07-28 before it exits', async () => {
    child = spawnMcp({ url: upstream.url, folder: folder.path });
    const taken = new Promise<ServerResponse>((resolve) => upstream.respondWith((_, response) => resolve(response)));
    child.send(message2026(READ));
    const response = await taken;
    child.process.stdin.end();
    await until('the bridge is stopping', () => child?.stderr().includes('stopping'));
    answerJson(response, 200, { memory: { content: 'just in time' } });
    expect(await child.ended).to.equal(0);
    expect((await child.answerTo(READ.id)).result).to.have.nested.property('contents[0].uri', URI);
  });

  it('aborts a call of 2026-07-28 that its client cancels', async () => {
    child = spawnMcp({ url: upstream.url, folder: folder.path });
    const taken = new Promise<ServerResponse>((resolve) => upstream.respondWith((_, response) => resolve(response)));
    child.send(message2026(READ));
    const closed = once(await taken, 'close');
    child.send({ method: 'notifications/cancelled', params: { requestId: READ.id } });
    await closed;
    child.send(message2026({ id: 6, method: 'tools/list' }));
    expect((await child.answerTo(6)).result).to.have.property('tools');
  });

  it('serves a handshake after a discovery of 2026-07-28', async () => {
    child = spawnMcp({ url: upstream.url, folder: folder.path });
    child.send(message2026({ id: 8, method: 'server/discover' }));
    expect((await child.answerTo(8)).result).to.have.property('supportedVersions');
    child.send(INITIALIZE);
    expect((await child.answerTo(0)).result).to.include({ protocolVersion: '2025-06-18' });
    child.send({ method: 'notifications/initialized' });
    child.send({ id: 9, method: 'tools/list' });
    expect((await child.answerTo(9)).result).to.have.property('tools');
  });

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    it(`exits with 0 on ${signal}`, async () => {
      const bridge = await start();
      bridge.process.kill(signal);
      expect(await bridge.ended).to.equal(0);
    });
  }

  it('exits when stdout has no reader', async () => {
    const bridge = await start();
    bridge.process.stdout.destroy();
    bridge.send({ id: 1, method: 'ping' });
    expect(await bridge.ended).to.equal(0);
  });

  it('exits when its parent has ended, even with stdin open', async () => {
    const bridge = await start({ hasOwnParent: true, variables: { AUTOMEM_PARENT_WATCHDOG_MS: '100' } });
    const silent = once(bridge.process.stdout, 'end');
    bridge.process.kill('SIGKILL');
    await silent; // the bridge held the other end
    // Two pipes: the end of stdout may be read before the last line of stderr.
    await until('the reason is logged', () => bridge.stderr().includes('the parent process has ended'));
  });

  it('exits on a message without an end', async () => {
    const bridge = await start();
    bridge.process.stdin.write('x'.repeat(11 * 1024 * 1024));
    expect(await bridge.ended).to.equal(0);
  });

  it('ignores invalid messages, and writes only messages to stdout', async () => {
    const bridge = await start({
      variables: { AUTOMEM_LOG_LEVEL: 'debug', AUTOMEM_RECALL_TOKEN_BUDGET: 'lots', AUTOMEM_PARENT_WATCHDOG_MS: '0' },
    });
    bridge.process.stdin.write('{"jsonrpc":\nhello\n[]\n');
    bridge.send({ id: 2, method: 'ping' });
    expect((await bridge.answerTo(2)).result).to.deep.equal({});
    bridge.send({ id: 3, method: 'no/such/method' });
    expect((await bridge.answerTo(3)).error).to.deep.include({ code: -32_601 });
    expect(messagesIn(bridge.stdout()).every((message) => 'jsonrpc' in message)).to.equal(true);
    expect(bridge.stderr()).to.include('AUTOMEM_RECALL_TOKEN_BUDGET').and.include('AUTOMEM_PARENT_WATCHDOG_MS');
  });

  it('logs invalid messages without quoting them', async () => {
    const bridge = await start({ variables: { AUTOMEM_LOG_LEVEL: 'debug' } });
    bridge.process.stdin.write('hunter2\n{"jsonrpc":"2.0","method":["hunter2"]}\n');
    bridge.send({ id: 99, result: { content: 'hunter2' } }); // an answer to no request
    bridge.send({ id: 2, method: 'ping' });
    await bridge.answerTo(2);
    await until('the messages are logged', () => bridge.stderr().split('mcp message handling failed').length > 3);
    expect(bridge.stderr()).to.not.include('hunter2');
  });

  it('is the binary palimpsest-mcp of the package', async () => {
    const { bin, files } = JSON.parse(await readFile(join(REPOSITORY, 'package.json'), 'utf8')) as {
      bin: Record<string, string>;
      files: string[];
    };
    expect(bin).to.include({ 'palimpsest-mcp': 'dist/deploy/mcp/main.js' });
    expect(files).to.include('dist');
    expect(await readFile(MCP_MAIN, 'utf8')).to.match(/^#!\/usr\/bin\/env node\n/u);
  });

  it('exits with 1 and advice for a wrong configuration', async () => {
    const wrong = [
      {
        options: { variables: { AUTOMEM_API_URL: 'memory' } },
        text: 'AUTOMEM_API_URL is not the address of a service',
      },
      { options: { arguments: ['install'] }, text: 'install is not known here' },
    ];
    for (const { options, text } of wrong) {
      child = spawnMcp({ url: upstream.url, folder: folder.path, ...options });
      expect(await child.ended).to.equal(1);
      await until('the reason', () => child?.stderr().includes(text));
      expect(child.stdout()).to.equal('');
    }
  });

  it('aborts a call that its client cancels, and keeps serving', async () => {
    const mcp = await connectMcp('stdio', { url: upstream.url });
    const taken = new Promise<ServerResponse>((resolve) => upstream.respondWith((_, response) => resolve(response)));
    const cancel = new AbortController();
    const refused = mcp.client.readResource({ uri: URI }, { signal: cancel.signal }).catch(() => 'cancelled');
    const closed = once(await taken, 'close');
    cancel.abort();
    expect(await refused).to.equal('cancelled');
    await closed;
    expect(await mcp.client.ping()).to.deep.equal({});
    await mcp.close();
  });
});
