import { expect } from 'chai';
import { startService } from '../../support/processes/service.js';
import { type EmbeddingServer, startEmbeddingServer } from '../../support/servers/embedding-server.js';
import { expectProblem, read, type Service, store } from './memory-fixtures.js';

const REFUSED: readonly (readonly [string, object, string | RegExp])[] = [
  ['no content', {}, "'content' is required"],
  ['blank content', { content: ' \n' }, "'content' is required"],
  ['content of another type', { content: 5 }, /content/u],
  [
    'content above the hard limit',
    { content: '😀'.repeat(2001) },
    /^Content exceeds maximum length of 2000 characters \(2001 provided\)/u,
  ],
  ['tags of another type', { content: 'x', tags: 5 }, "'tags' must be a list of strings or a single string"],
  [
    'too many tags',
    { content: 'x', tags: Array.from({ length: 101 }, (_, index) => `t${index}`) },
    /at most 100 tags/u,
  ],
  ['importance out of range', { content: 'x', importance: 1.5 }, "'importance' must be between 0 and 1"],
  ['importance that is not a number', { content: 'x', importance: 'high' }, "'importance' must be a number"],
  ['metadata that is not an object', { content: 'x', metadata: ['a'] }, "'metadata' must be an object"],
  [
    'too much metadata',
    { content: 'x', metadata: { a: 'x'.repeat(70_000) } },
    /^'metadata' must be at most 65536 bytes/u,
  ],
  ['an unknown type', { content: 'x', type: 'Banana' }, /'type'/u],
  ['a bad timestamp', { content: 'x', timestamp: 'tomorrow' }, 'Invalid ISO timestamp'],
  ['a bad bound', { content: 'x', t_valid: '2024-1-1' }, 'Invalid t_valid: Invalid ISO timestamp'],
  ['a bad updated_at', { content: 'x', updated_at: 'x' }, 'Invalid updated_at: Invalid ISO timestamp'],
  [
    'an embedding of another length',
    { content: 'x', embedding: [1, 2] },
    /^Embedding must contain exactly \d+ values$/u,
  ],
  ['an embedding of words', { content: 'x', embedding: ['a'] }, 'Embedding must contain numeric values'],
];

describe('POST /memory', () => {
  let service: Service;

  before(async () => {
    service = await startService();
  });

  after(() => service.close());

  it('answers 201 with every field of the contract', async () => {
    const { status, headers, body } = await service.request('POST', '/memory', {
      body: {
        content: '  Deploys go through the pipeline ',
        tags: ['Team/Core', 'Team/Core', ''],
        timestamp: '2024-01-01T10:00:00.5+0200',
        metadata: { a: 1 },
      },
    });

    expect(status).to.equal(201);
    expect(headers.get('etag')).to.equal('"1"');
    expect(body).to.include({
      status: 'success',
      type: 'Context',
      confidence: 0.3,
      stored_at: '2024-01-01T08:00:00.500000+00:00',
      timestamp: '2024-01-01T08:00:00.500000+00:00',
      updated_at: '2024-01-01T08:00:00.500000+00:00',
      last_accessed: '2024-01-01T08:00:00.500000+00:00',
      qdrant: 'queued',
      embedding_status: 'queued',
      enrichment: 'queued',
    });
    expect(body).to.have.property('metadata').that.deep.equals({ a: 1 });
    expect(body).to.have.property('query_time_ms').that.is.a('number');
    const memory = await read(service, (body as { memory_id: string }).memory_id);
    expect(memory).to.deep.include({
      content: 'Deploys go through the pipeline',
      tags: ['Team/Core'],
      tag_prefixes: ['team', 'team:core'],
      importance: 0.5,
      t_valid: '2024-01-01T08:00:00.500000+00:00',
      enriched: false,
      relations: [],
    });
  });

  for (const [fault, body, message] of REFUSED) {
    it(`refuses ${fault}`, async () => {
      expectProblem(await service.request('POST', '/memory', { body }), 400, message);
    });
  }

  it('refuses a body that is not an object', async () => {
    for (const body of [[], 'text', undefined]) {
      expectProblem(await service.request('POST', '/memory', { body }), 400, 'JSON body is required');
    }
  });

  it('accepts content of exactly the hard limit in code points', async () => {
    const id = await store(service, { content: '😀'.repeat(2000) });

    expect(await read(service, id)).to.include({ content: '😀'.repeat(2000) });
  });

  it('classifies by patterns without a type and maps aliases of types', async () => {
    const favourite = await service.request('POST', '/memory', {
      body: { content: 'My favorite editor is vim', confidence: 0.1 },
    });
    const aliased = await service.request('POST', '/memory', { body: { content: 'x', type: 'health_habits' } });
    const lower = await service.request('POST', '/memory', {
      body: { content: 'x', type: 'decision', confidence: '0.4' },
    });

    expect(favourite.body).to.include({ type: 'Preference', confidence: 0.8 });
    expect(aliased.body).to.include({ type: 'Habit', confidence: 0.9 });
    expect(lower.body).to.include({ type: 'Decision', confidence: 0.4 });
  });

  it('ignores an id and unknown fields', async () => {
    const id = await store(service, { id: 'mine', surprise: { deep: [1] } });

    expect(await read(service, id)).to.not.have.property('surprise');
    expect(id).to.match(/^[0-9a-f-]{36}$/u);
  });

  it('treats a null property as absent', async () => {
    const id = await store(service, {
      tags: null,
      importance: null,
      metadata: null,
      timestamp: null,
      embedding: null,
      t_invalid: null,
    });

    expect(await read(service, id)).to.deep.include({ tags: [], importance: 0.5, metadata: {} });
  });

  it("accepts a supplied embedding as text, with exactly the index's length", async () => {
    const numbers = Array.from({ length: 384 }, (_, index) => (index === 9 ? 1 : 0));

    const { body } = await service.request('POST', '/memory', {
      body: { content: 'directions as text', embedding: numbers.join(', ') },
    });

    expect(body).to.include({ qdrant: 'stored', embedding_status: 'provided' });
    expectProblem(
      await service.request('POST', '/memory', { body: { content: 'x', embedding: '1,2' } }),
      400,
      'Embedding must contain exactly 384 values',
    );
    expectProblem(
      await service.request('POST', '/memory', { body: { content: 'x', embedding: '1,b' } }),
      400,
      'Embedding must contain numeric values',
    );
    expectProblem(
      await service.request('POST', '/memory', { body: { content: 'x', embedding: {} } }),
      400,
      'Embedding must be a list of floats or a comma-separated string',
    );
  });

  it('reads a string as one tag and numbers from texts and booleans', async () => {
    const id = await store(service, { tags: ' one, tag ', importance: '1e-1', confidence: true });

    expect(await read(service, id)).to.deep.include({ tags: ['one, tag'], importance: 0.1, confidence: 1 });
  });

  it('answers after the index has a supplied embedding', async () => {
    const embedding = Array.from({ length: 384 }, (_, index) => (index === 7 ? 1 : 0));

    const { body } = await service.request('POST', '/memory', { body: { content: 'a supplied direction', embedding } });
    const recall = await service.request('GET', `/recall?limit=1&embedding=${embedding.join(',')}`);

    expect(body).to.include({ qdrant: 'stored', embedding_status: 'provided' });
    expect(recall.body).to.have.nested.property('results[0].id', (body as { memory_id: string }).memory_id);
  });
});

describe('POST /memory with a language model', () => {
  let model: EmbeddingServer;
  let service: Service;
  const long = 'We compared many queues and took the small one. '.repeat(12).trim();

  before(async () => {
    model = await startEmbeddingServer(({ body }) => {
      const asksForType = body['response_format'] !== undefined;
      return {
        body: {
          choices: [
            {
              message: {
                content: asksForType ? '{"type": "analysis", "confidence": 0.65}' : ' Took the small queue. ',
              },
            },
          ],
        },
      };
    });
    service = await startService({ variables: { CLASSIFICATION_BASE_URL: model.url } });
  });

  after(async () => {
    await service.close();
    await model.close();
  });

  it('summarises long content and keeps the original', async () => {
    const { status, body } = await service.request('POST', '/memory', { body: { content: long, metadata: { a: 1 } } });

    expect(status).to.equal(201);
    expect(body).to.include({
      summarized: true,
      original_length: long.length,
      summarized_length: 21,
      type: 'Insight',
      confidence: 0.65,
    });
    const metadata = { a: 1, original_content: long, was_summarized: true, original_length: long.length };
    expect(body.metadata).to.deep.equal(metadata);
    expect(await read(service, body.memory_id)).to.deep.include({ content: 'Took the small queue.', metadata });
  });

  it('skips a summary at the soft limit and a known type', async () => {
    const asked = model.requests.length;

    const { body } = await service.request('POST', '/memory', { body: { content: 'x'.repeat(500), type: 'Style' } });
    const { body: matched } = await service.request('POST', '/memory', { body: { content: 'I always use tabs' } });

    expect(body).to.not.have.any.keys('summarized', 'original_length', 'summarized_length');
    expect(matched).to.include({ type: 'Preference', confidence: 0.6 });
    expect(model.requests.length).to.equal(asked);
  });
});
