import { expect } from 'chai';
import { echoOf, type Edge, openEdge } from '../../support/processes/http-edge.js';

const MEGABYTE = 1024 * 1024;

describe('request body', () => {
  let edge: Edge;
  before(async () => {
    edge = await openEdge();
  });
  after(() => edge.close());

  async function messageOf(response: Response): Promise<string> {
    const { message } = (await response.json()) as { message: string };
    return `${response.status} ${message}`;
  }

  const json = { 'content-type': 'application/json' };
  const missing: readonly (readonly [string, string | undefined, Record<string, string>])[] = [
    ['no body', undefined, json],
    ['nothing but blanks', '  ', json],
    ['malformed JSON', '{"content":', json],
    ['an array', '[{"content":"x"}]', json],
    ['null', 'null', json],
    ['text', '"content"', json],
    ['another type', '{"content":"x"}', { 'content-type': 'text/plain' }],
    ['a form', 'content=x', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['no type', '{"content":"x"}', { 'content-type': '' }],
  ];
  for (const [title, body, headers] of missing) {
    it(`counts as missing when it is ${title}`, async () => {
      const send = (path: string): Promise<Response> =>
        fetch(edge.url + path, { method: 'POST', headers, ...(body === undefined ? {} : { body }) });
      expect(await messageOf(await send('/memory'))).to.equal('400 JSON body is required');
      expect(await messageOf(await send('/memory/batch'))).to.equal("400 JSON body with 'memories' array required");
    });
  }

  it('counts as missing when it is not UTF-8', async () => {
    const body = Buffer.concat([Buffer.from('{"content":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    expect(await messageOf(await fetch(`${edge.url}/memory`, { method: 'POST', headers: json, body }))).to.equal(
      '400 JSON body is required',
    );
  });

  for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/merge-patch+json']) {
    it(`is read as ${type}`, async () =>
      expect((await edge.post('/memory', { content: 'x' }, { 'content-type': type })).status).to.equal(200));
  }

  it('may be empty where it is optional, with any content type', async () => {
    for (const [method, path] of [
      ['DELETE', '/memory/by-tag?tags=a'],
      ['GET', '/recall'],
    ] as const) {
      expect((await fetch(edge.url + path, { method, headers: json })).status).to.equal(200);
    }
  });

  it('reaches the handler coerced to the schema', async () => {
    const { body } = await echoOf(
      await edge.post('/memory', { content: 'x', tags: 'a', importance: '0.5', extra: { deep: [1] } }),
    );
    expect(body).to.deep.equal({ content: 'x', tags: ['a'], importance: 0.5, extra: { deep: [1] } });
  });

  it('reaches a handler with its own validation unchanged', async () => {
    expect((await echoOf(await edge.post('/associate', { strength: 'x' }))).body).to.deep.equal({ strength: 'x' });
  });

  it('is rejected with the name of the wrong field', async () => {
    const problem = await (await edge.post('/memory', { content: 'x', importance: 2 })).json();
    expect(problem).to.include({ field: 'importance', message: "'importance' must be between 0 and 1" });
  });

  const unstorable = 'must not contain the character U+0000 or half a surrogate pair';
  const refused: readonly (readonly [string, string])[] = [
    ['{"content":"a\\u0000b"}', `'content' ${unstorable}`],
    ['{"content":"\\ud83d"}', `'content' ${unstorable}`],
    ['{"content":"x","metadata":{"places":[1,{"name":"\\udc00"}]}}', `'metadata.places[1].name' ${unstorable}`],
    ['{"content":"x","metadata":{"k\\u0000":1}}', `'metadata' ${unstorable}`],
    ['{"k\\u0000":1}', `The names of the fields ${unstorable}`],
    ['{"content":"x","metadata":{"size":1e999}}', "'metadata.size' must be a number that fits a double"],
    ['{"content":"x","metadata":{"sizes":[0,-1.5E+400]}}', "'metadata.sizes[1]' must be a number that fits a double"],
    [`{"content":"x","metadata":{"size":${'9'.repeat(400)}}}`, "'metadata.size' must be a number that fits a double"],
    [
      `{"content":"x","metadata":{"size":${'9'.repeat(250)}e99}}`,
      "'metadata.size' must be a number that fits a double",
    ],
    ['{"content":"x","metadata":{"k":"\\uDC00\\uD83D"}}', `'metadata.k' ${unstorable}`],
    [
      `{"content":"x","metadata":${'['.repeat(200)}${']'.repeat(200)}}`,
      'The body must not be nested deeper than 100 levels',
    ],
    [
      `{"content":"x","metadata":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`,
      'The body must not be nested deeper than 100 levels',
    ],
  ];
  for (const [body, message] of refused) {
    it(`is rejected: ${body.slice(0, 60)}`, async () =>
      expect(await messageOf(await edge.post('/memory', body))).to.equal(`400 ${message}`));
  }

  it('may contain whole surrogate pairs and any other character', async () => {
    const content = 'emoji \u{1f600}, control \u0001, \ufffe, \u202e';
    expect((await echoOf(await edge.post('/memory', { content }))).body['content']).to.equal(content);
  });

  it('cannot change the prototype of objects', async () => {
    const { body } = await echoOf(
      await edge.post(
        '/memory',
        '{"content":"x","__proto__":{"tags":["a"]},"metadata":{"__proto__":{"b":1},"constructor":1}}',
      ),
    );
    expect(body['tags']).to.equal(undefined);
    expect(Object.keys(body['metadata'] as object)).to.deep.equal(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['b']).to.equal(undefined);
  });

  it('is accepted with 20 MB', async () => {
    const content = 'x'.repeat(20 * MEGABYTE);
    const { body } = await echoOf(await edge.post('/memory/batch', { content }));
    expect(body['content']).to.have.lengthOf(content.length);
  });

  it('is rejected with 413 at 40 MB, and the client can read the response', async () => {
    const response = await edge.post('/memory/batch', { content: 'x'.repeat(40 * MEGABYTE) });
    expect(await messageOf(response)).to.equal('413 The body is larger than 33554432 bytes: send it in smaller parts');
  });

  it('is rejected with 413 at 40 MB without a Content-Length', async () => {
    const chunk = new Uint8Array(MEGABYTE).fill(0x20);
    let left = 40;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => ((left -= 1) >= 0 ? controller.enqueue(chunk) : controller.close()),
    });
    const options: RequestInit & { readonly duplex: 'half' } = { method: 'POST', headers: json, body, duplex: 'half' };
    expect((await fetch(`${edge.url}/memory`, options)).status).to.equal(413);
  });
});
