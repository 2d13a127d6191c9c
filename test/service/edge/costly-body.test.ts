/** Bodies that cost more than they are worth: the edge rejects them before it parses them. */
import { type ClientRequest, request } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'chai';
import { createBodyBudget } from '../../../shared/http/request/read-bytes.js';
import { until } from '../../support/checks/until.js';
import { type Edge, openEdge } from '../../support/processes/http-edge.js';

const ADMIN = 'the-admin-token';
const MEGABYTE = 1024 * 1024;
/** Before the limit of values, 31 MB took 12 s. */
const PROMPT_MS = 3_000;

describe('a costly request body', () => {
  let edge: Edge;
  before(async () => {
    edge = await openEdge({
      bodiesInFlightBytes: 48 * MEGABYTE,
      handlers: { reprocess: async () => ({ status: 202, body: { status: 'queued', count: 0, ids: [] } }) },
      tokens: { api: [], admin: ADMIN, internal: null },
    });
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
    expect((await post('/memory', { content: 'x'.repeat(5 * MEGABYTE) })).status).to.equal(200);
    expect((await post('/memory', { content: 'x'.repeat(7 * MEGABYTE) })).status).to.equal(413);
  });

  it('answers a client that reads only after it has sent the largest body', async () => {
    const body = JSON.stringify({ content: 'x'.repeat(31 * MEGABYTE) });
    for (let time = 0; time < 2; time += 1)
      expect(await exchange(`${head('/memory', [`Content-Length: ${body.length}`])}${body}`)).to.match(
        /^HTTP\/1.1 413/u,
      );
  });

  const namesOf = (count: number): string => Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',');
  const beyond: readonly (readonly [string, string, number, string])[] = [
    ['/memory/batch', `{"memories":[{${namesOf(60_001)}}]}`, 60_000, 'names'],
    ['/memory/batch', `{"memories":[${'1,'.repeat(800_000)}1]}`, 800_000, 'values'],
    ['/memory', `{"content":"x","metadata":{${namesOf(16_000)}}}`, 16_000, 'names'],
    ['/associate', `{"memory1_id":"x","properties":{${namesOf(20_000)}}}`, 20_000, 'names'],
    ['/associate', `{"associations":[${'1,'.repeat(50_000)}1]}`, 50_000, 'values'],
    ['/enrichment/reprocess', `{"ids":[${'"a",'.repeat(2_000)}"a"]}`, 2_000, 'values'],
  ];
  for (const [path, body, limit, what] of beyond) {
    it(`to ${path} gets 413 with the limit above ${limit} ${what}`, async () => {
      const response = await edge.post(path, body, { 'x-admin-token': ADMIN });
      const { message } = (await response.json()) as { readonly message: string };
      expect(`${response.status} ${message}`).to.equal(
        `413 The body holds more than ${limit} ${what}: send it in smaller parts`,
      );
    });
  }

  const bytes: readonly (readonly [string, number])[] = [
    ['/associate', 2 * MEGABYTE],
    ['/enrichment/reprocess', 64 * 1024],
  ];
  for (const [path, limit] of bytes) {
    it(`to ${path} is rejected with 413 above ${limit} bytes`, async () => {
      const response = await edge.post(path, { ids: 'x'.repeat(limit) }, { 'x-admin-token': ADMIN });
      expect(response.status).to.equal(413);
      expect(await response.text()).to.contain(`larger than ${limit} bytes`);
    });
  }

  it('of a real client is accepted: 500 memories with their embeddings', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`key${at}`, 'a value of forty characters'])); // prettier-ignore
    const memory = { content: 'x'.repeat(2_000), tags: ['a', 'b'], metadata, embedding: Array(1_024).fill(0.123456) };
    expect((await post('/memory/batch', { memories: Array(500).fill(memory) })).status).to.equal(200);
    const item = { memory1_id: 'x'.repeat(36), memory2_id: 'y'.repeat(36), type: 'PREFERS_OVER', reason: 'word '.repeat(600) }; // prettier-ignore
    expect((await post('/associate', { associations: Array(500).fill(item) })).status).to.equal(200);
  });

  it('gets 408 when it is shorter than its Content-Length', async () => {
    expect(await exchange(`${head('/memory', ['Content-Length: 100'])}{"content":`, true)).to.match(/^HTTP\/1.1 408 /u);
  });

  it('is refused before 100 Continue for its Content-Length', async () => {
    const lines = ['Expect: 100-continue', 'Connection: close'];
    expect(await exchange(head('/memory', [...lines, `Content-Length: ${7 * MEGABYTE}`]))).to.match(/^HTTP\/1.1 413 /u);
    const taken = exchange(`${head('/memory', [...lines, 'Content-Length: 15'])}{"content":"x"}`);
    expect(await taken).to.match(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /u);
  });

  it('gets 413 when it comes in thousands of tiny chunks', async () => {
    const lines = ['Transfer-Encoding: chunked', 'Connection: close'];
    const chunked = (chunk: string, count: number): Promise<string> =>
      exchange(`${head('/memory', lines)}${`${chunk.length.toString(16)}\r\n${chunk}\r\n`.repeat(count)}0\r\n\r\n`);
    expect(await chunked(' ', 5_000)).to.match(/^HTTP\/1.1 413 [\s\S]*chunks/u);
    expect(await chunked(' '.repeat(100), 5_000)).to.match(/^HTTP\/1.1 400 [\s\S]*is empty/u);
  });

  it('leaves a quarter of the capacity to small bodies', () => {
    const budget = createBodyBudget(8 * MEGABYTE);
    budget.open('one').take(3 * MEGABYTE);
    budget.open('another').take(3 * MEGABYTE);
    expect(() => budget.open('third').take(2 * MEGABYTE)).to.throw('too many bodies');
    budget.open('third').take(MEGABYTE);
    budget.open('third').take(MEGABYTE);
    expect(() => budget.open('third').take(1)).to.throw('too many bodies');
  });

  it('leaves half of the capacity to the large bodies of other callers', () => {
    const budget = createBodyBudget(128 * MEGABYTE);
    const first = budget.open('one');
    first.take(60 * MEGABYTE);
    expect(() => budget.open('one').take(5 * MEGABYTE)).to.throw('too many of your large bodies');
    budget.open('one').take(MEGABYTE);
    budget.open('another').take(30 * MEGABYTE);
    first.release();
    budget.open('one').take(60 * MEGABYTE);
  });

  it('gets 503 with Retry-After while other bodies take all the capacity', async () => {
    const options = {
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/json', 'content-length': 31 * MEGABYTE },
    };
    const large = { content: 'x'.repeat(20 * MEGABYTE) };
    let slow: ClientRequest | undefined;
    await until('no capacity is left', async () => {
      slow?.destroy(); // the large body may have come first
      slow = request(`${edge.url}/memory/batch`, options);
      slow.on('error', () => undefined);
      await new Promise((resolve) => slow?.write(Buffer.alloc(30 * MEGABYTE, 0x20), resolve));
      const { status, headers } = await post('/memory/batch', large);
      return status === 503 && headers.get('retry-after') === '1';
    });
    expect((await post('/memory', { content: 'small' })).status).to.equal(200);
    slow?.destroy();
    await until('the capacity is free again', async () => (await post('/memory/batch', large)).status === 200);
  });
});
