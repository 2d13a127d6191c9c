/** The requests of recall_memory, and its handling of invalid answers of the service. */
import { expect } from 'chai';
import type { ToolAnswer } from '../../../../deploy/mcp/tool.js';
import { createRecallMemoryTool } from '../../../../deploy/mcp/tools/recall-memory.js';
import { createClient } from '../../../../shared/client/http-client.js';
import { answerJson, openStubInstance, type StubInstance } from '../../../support/servers/stub-instance.js';
import { foundMemory, idOf } from '../recall/found-memories.js';

describe('recall_memory tool', () => {
  let stub: StubInstance;
  before(async () => {
    stub = await openStubInstance('query-api');
  });
  after(() => stub.close());

  function call(input: object, signal = new AbortController().signal): Promise<ToolAnswer> {
    const client = createClient({ baseUrl: stub.url, token: 'secret', userAgent: 'test', retryDelaysMs: [] });
    return createRecallMemoryTool({ tokenBudget: 18_000 }).call(input, { client, signal, report: () => undefined });
  }

  const answers = (status: number, body: object): void =>
    stub.respondWith((_, response) => answerJson(response, status, body));
  const asked = (): string | undefined => stub.requests.at(-1)?.url;

  it('sends one request with the given arguments', async () => {
    answers(200, { status: 'success', results: [], count: 0 });
    await call({
      query: 'a b',
      tags: ['x,y', 'z'],
      exclude_tags: ['p', 'q'],
      expand_relations: false,
      embedding: [0.5, -1],
      format: 'json',
    });
    expect(asked()).to.equal(
      '/recall?query=a+b&tags=x%2Cy&tags=z&exclude_tags=p&exclude_tags=q&expand_relations=false&embedding=0.5%2C-1',
    );
    answers(200, { status: 'success', memories: [], count: 0, has_more: false, limit: 20, offset: 0 });
    await call({ exhaustive: true, tags: ['x', 'y'], limit: 20 });
    expect(asked()).to.equal('/memory/by-tag?tags=x&tags=y&limit=20');
    answers(200, { status: 'success', memory: { ...foundMemory(1).memory, relations: [] } });
    await call({ memory_id: idOf(1), query: 'x' });
    expect(asked()).to.equal(`/memory/${idOf(1)}`);
    expect(stub.requests).to.have.length(3);
  });

  it('passes fields that a newer service adds', async () => {
    answers(200, { results: [{ ...foundMemory(1), mood: 'calm' }], count: 1, weather: { sky: 'grey' } });
    expect((await call({ query: 'x', format: 'json' })).structured)
      .to.deep.include({ weather: { sky: 'grey' } })
      .and.have.nested.property('results[0].mood', 'calm');
  });

  it('reads answers of an older service with missing fields and nulls', async () => {
    answers(200, {
      results: [
        { id: idOf(1), memory: { content: 'Old', tags: null, summary: null, importance: null }, relations: null },
      ],
    });
    const { text, structured } = await call({ query: 'x' });
    expect(text).to.deep.equal([`Found 1 memories:\n\n1. Old\n   ID: ${idOf(1)}`]);
    expect(structured).to.deep.equal({
      mode: 'ranked',
      count: 1,
      results: [{ memory_id: idOf(1), content: 'Old', tags: [], importance: 0 }],
    });
  });

  for (const [request, input] of [
    ['a recall', { query: 'x' }],
    ['a listing', { exhaustive: true, tags: ['x'] }],
    ['a fetch by id', { memory_id: idOf(1) }],
  ] as const) {
    for (const body of [
      '<html>A proxy</html>',
      '{"results": [{"id": "0',
      '',
      '[]',
      'null',
      '{}',
      '{"status":"success","results":[5],"memories":[5],"memory":5,"has_more":true}',
    ]) {
      it(`fails for ${request} with the body ${JSON.stringify(body).slice(0, 32)}`, async () => {
        stub.respondWith((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(body));
        const { text, isError, structured } = await call(input);
        expect(isError).to.equal(true);
        expect(text.join('')).to.match(/^Error: .{20}/u);
        expect(structured).to.equal(undefined);
      });
    }
  }

  for (const status of [400, 401, 403, 414, 500, 503]) {
    it(`passes on the message of the service for ${status}`, async () => {
      answers(status, {
        status: 'error',
        code: status,
        message: 'The words of the service',
        error: 'The words of the service',
      });
      for (const input of [{ query: 'x' }, { exhaustive: true, tags: ['x'] }, { memory_id: idOf(1) }]) {
        const { text, isError } = await call(input);
        expect(isError).to.equal(true);
        expect(text.join('')).to.match(/^Error: The words of the service/u);
      }
    });
  }

  it('fails instead of answering empty if the service does not know the route', async () => {
    answers(404, { status: 'error', code: 404, message: 'Not found' });
    expect(await call({ query: 'x' })).to.include({ isError: true });
    expect(await call({ exhaustive: true, tags: ['x'] })).to.include({ isError: true });
  });

  it('ends when the caller cancels', async () => {
    const cancelled = new AbortController();
    stub.respondWith(() => cancelled.abort());
    expect(await call({ query: 'x' }, cancelled.signal)).to.include({ isError: true });
  });
});
