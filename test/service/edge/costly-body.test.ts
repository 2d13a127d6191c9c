/** Bodies that cost more than they are worth: the edge rejects them before it parses them. */
import { request } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'chai';
import { until } from '../../support/checks/until.js';
import { type Edge, openEdge } from '../../support/processes/http-edge.js';

const MEGABYTE = 1024 * 1024;
/** Before the limit of values, 31 MB took 12 s. */
const PROMPT_MS = 3_000;

describe('a costly request body', () => {
  let edge: Edge;
  before(async () => {
    edge = await openEdge({ bodiesInFlightBytes: 40 * MEGABYTE });
  });
  after(() => edge.close());

  /** Reads the whole answer, which repeats the body: otherwise its connection stays open. */
  async function post(path: string, body: unknown): Promise<Response> {
    const response = await edge.post(path, body);
    await response.arrayBuffer();
    return response;
  }

  /** Writes text to a new connection and resolves with the whole answer; `end` closes our half of the connection. */
  function exchange(text: string, end = false): Promise<string> {
    return new Promise((resolve, reject) => {
      let answer = '';
      const socket = connect(Number(new URL(edge.url).port), '127.0.0.1', () =>
        end ? socket.end(text) : socket.write(text),
      );
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      socket.once('close', () => resolve(answer));
      socket.once('error', reject);
    });
  }
  const head = (path: string, lines: readonly string[]): string =>
    [`POST ${path} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json', ...lines, '', ''].join('\r\n');

  it('is rejected with 413 for its number of values', async () => {
    const begin = performance.now();
    const list = `{"memories":[${'{},'.repeat(10 * MEGABYTE)}{}]}`;
    expect((await post('/memory/batch', list)).status).to.equal(413);
    expect(performance.now() - begin).to.be.below(PROMPT_MS);
    expect((await post('/memory', `{"content":"x","metadata":{"a":[${'1,'.repeat(100_000)}1]}}`)).status).to.equal(413);
  });

  it('has a lower limit for a single memory', async () => {
    expect((await post('/memory', { content: 'x'.repeat(7 * MEGABYTE) })).status).to.equal(200);
    expect((await post('/memory', { content: 'x'.repeat(9 * MEGABYTE) })).status).to.equal(413);
  });

  it('gets 408 when it is shorter than its Content-Length', async () => {
    expect(await exchange(`${head('/memory', ['Content-Length: 100'])}{"content":`, true)).to.match(/^HTTP\/1.1 408 /u);
  });

  it('is refused before 100 Continue for its Content-Length', async () => {
    const lines = ['Expect: 100-continue', 'Connection: close'];
    expect(await exchange(head('/memory', [...lines, `Content-Length: ${9 * MEGABYTE}`]))).to.match(/^HTTP\/1.1 413 /u);
    const taken = exchange(`${head('/memory', [...lines, 'Content-Length: 15'])}{"content":"x"}`);
    expect(await taken).to.match(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /u);
  });

  it('gets 503 with Retry-After while other bodies take all the room', async () => {
    const options = {
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/json', 'content-length': 31 * MEGABYTE },
    };
    const slow = request(`${edge.url}/memory/batch`, options);
    slow.on('error', () => undefined);
    slow.write(Buffer.alloc(30 * MEGABYTE, 0x20));
    const large = { content: 'x'.repeat(20 * MEGABYTE) };
    await until('no room is left', async () => {
      const { status, headers } = await post('/memory/batch', large);
      return status === 503 && headers.get('retry-after') === '1';
    });
    expect((await post('/memory', { content: 'small' })).status).to.equal(200);
    slow.destroy();
    await until('the room is free again', async () => (await post('/memory/batch', large)).status === 200);
  });
});
