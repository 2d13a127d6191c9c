import { expect } from 'chai';
import { createHttpEmbedder, TEXT_LIMIT_CHARACTERS } from '../../../../../shared/engines/models/http/http-embedder.js';
import { ollamaProvider } from '../../../../../shared/engines/models/http/ollama.js';
import { openAiBody, openAiModelFor, openAiProvider } from '../../../../../shared/engines/models/http/openai.js';
import { voyageProvider } from '../../../../../shared/engines/models/http/voyage.js';
import { DeadlineError, DependencyError, PoisonError } from '../../../../../shared/kernel/errors.js';
import {
  type EmbeddingReply,
  type EmbeddingServer,
  healthyReply,
  startEmbeddingServer,
} from '../../../../support/servers/embedding-server.js';

const KEY = 'sk-very-secret';
const document = { purpose: 'document' } as const;
const vector = (values: readonly unknown[]): EmbeddingReply => ({ body: { data: [{ index: 0, embedding: values }] } });

describe('http embedder', () => {
  let server: EmbeddingServer;
  afterEach(() => server.close());

  async function openAiOver(answer: Parameters<typeof startEmbeddingServer>[0], limits: { timeoutMs?: number } = {}) {
    server = await startEmbeddingServer(answer);
    const provider = openAiProvider({
      apiKey: KEY,
      baseUrl: server.url,
      model: 'some-model',
      retryDelaysMs: [1, 2],
      ...limits,
    });
    return createHttpEmbedder({ provider, dimension: 4, batchSize: 2 });
  }

  it('splits texts into calls of the batch size and sends the key', async () => {
    const embedder = await openAiOver(healthyReply(4));
    expect(await embedder.embed(['a', 'b', 'c', 'd', 'e'], document)).to.have.length(5);
    expect(server.requests.map(({ body }) => body['input'])).to.deep.equal([['a', 'b'], ['c', 'd'], ['e']]);
    expect(server.requests[0]?.headers.authorization).to.equal(`Bearer ${KEY}`);
  });

  it('truncates texts to the length that every model accepts', async () => {
    const embedder = await openAiOver(healthyReply(4));
    await embedder.embed(['x'.repeat(50_000)], document);
    expect((server.requests[0]?.body['input'] as string[])[0]).to.have.length(TEXT_LIMIT_CHARACTERS);
  });

  for (const status of [408, 429, 500, 503]) {
    it(`retries after ${status}`, async () => {
      const healthy = healthyReply(4);
      const embedder = await openAiOver((asked, number) =>
        number < 2 ? { status, headers: { 'retry-after': '0' } } : healthy(asked),
      );
      expect(await embedder.embed(['a'], document)).to.have.length(1);
      expect(server.requests).to.have.length(3);
    });
  }

  it('throws a retryable error after three attempts', async () => {
    const embedder = await openAiOver(() => ({ status: 503 }));
    const error = await rejectionOf(embedder.embed(['a'], document));
    expect(error).to.be.instanceOf(DependencyError).with.property('isRetryable', true);
    expect(server.requests).to.have.length(3);
  });

  it('passes a long Retry-After to the caller instead of waiting', async () => {
    const embedder = await openAiOver(() => ({ status: 429, headers: { 'retry-after': '60' } }));
    expect(await rejectionOf(embedder.embed(['a'], document))).to.have.property('retryAfterSeconds', 60);
    expect(server.requests).to.have.length(1);
  });

  it('retries when the provider does not answer in time', async () => {
    const healthy = healthyReply(4);
    const embedder = await openAiOver((asked, number) => (number === 0 ? { isSilent: true } : healthy(asked)), {
      timeoutMs: 100,
    });
    expect(await embedder.embed(['a'], document)).to.have.length(1);
  });

  const failures: Readonly<Record<string, readonly [EmbeddingReply, RegExp]>> = {
    'that does not answer in time': [{ isSilent: true }, /did not answer within 100 ms/u],
    'with an answer that is not JSON': [{ text: '<html>' }, /is not JSON.*OPENAI_BASE_URL/u],
    'that redirects': [{ status: 302, headers: { location: '/elsewhere' } }, /redirect.*OPENAI_BASE_URL/u],
  };
  for (const [title, [answer, message]] of Object.entries(failures)) {
    it(`names the cause of a failure of a provider ${title}`, async () => {
      const embedder = await openAiOver(() => answer, { timeoutMs: 100 });
      expect(await rejectionOf(embedder.embed(['a'], document)))
        .to.be.instanceOf(DependencyError)
        .with.property('message')
        .that.matches(message)
        .and.does.not.match(/cannot be reached/u);
    });
  }

  it('says that only a provider without a connection cannot be reached', async () => {
    const embedder = await openAiOver(() => ({ isCut: true }));
    expect(String(await rejectionOf(embedder.embed(['a'], document)))).to.contain('connection to OpenAI was lost');
    await server.close();
    expect(String(await rejectionOf(embedder.embed(['a'], document))))
      .to.contain('cannot be reached (ECONNREFUSED)')
      .and.contain('OPENAI_BASE_URL');
  });

  it('stops when the caller aborts', async () => {
    const controller = new AbortController();
    const embedder = await openAiOver(() => {
      controller.abort();
      return { isSilent: true };
    });
    expect(await rejectionOf(embedder.embed(['a'], { ...document, signal: controller.signal }))).to.be.instanceOf(
      DeadlineError,
    );
  });

  it('throws PoisonError for a refused text, without a retry', async () => {
    const embedder = await openAiOver(() => ({ status: 400 }));
    expect(await rejectionOf(embedder.embed(['a'], document))).to.be.instanceOf(PoisonError);
    expect(server.requests).to.have.length(1);
  });

  it('names the variables for a refused key, but no key, address or answer', async () => {
    const embedder = await openAiOver(() => ({ status: 401, body: { error: { message: `Incorrect key ${KEY}` } } }));
    const error = await rejectionOf(embedder.embed(['a'], document));
    expect(error).to.be.instanceOf(DependencyError);
    expect(String(error)).to.contain('OPENAI_API_KEY').and.not.contain(KEY).and.not.contain('127.0.0.1');
  });

  const unusable: Readonly<Record<string, EmbeddingReply>> = {
    'of another length': vector([1, 2, 3]),
    'with a component that is no number': vector([1, 2, null, 4]),
    'with a component beyond 32 bits': vector([1, 2, 1e39, 4]),
    'missing from the list': { body: { data: [] } },
    'in no list': { body: { message: 'hello' } },
  };
  for (const [title, answer] of Object.entries(unusable)) {
    it(`fails on a vector ${title}`, async () => {
      const embedder = await openAiOver(() => answer);
      expect(await rejectionOf(embedder.embed(['a'], document))).to.be.instanceOf(DependencyError);
    });
  }

  it('sends size and purpose to Voyage, and at most 128 texts per call', async () => {
    server = await startEmbeddingServer(healthyReply(256));
    const provider = voyageProvider({ apiKey: KEY, baseUrl: server.url, model: 'voyage-4' });
    const embedder = createHttpEmbedder({ provider, dimension: 256, batchSize: 1_000 });
    await embedder.embed(
      Array.from({ length: 129 }, (_, index) => `text ${index}`),
      document,
    );
    await embedder.embed(['where'], { purpose: 'query' });
    expect(
      server.requests.map(({ body }) => [
        (body['input'] as string[]).length,
        body['input_type'],
        body['output_dimension'],
      ]),
    ).to.deep.equal([
      [128, 'document', 256],
      [1, 'document', 256],
      [1, 'query', 256],
    ]);
  });

  it('sends texts one by one to an Ollama without the batch route', async () => {
    const healthy = healthyReply(4);
    server = await startEmbeddingServer((asked) => (asked.path === '/api/embed' ? { status: 404 } : healthy(asked)));
    const embedder = createHttpEmbedder({
      provider: ollamaProvider({ baseUrl: server.url, model: 'm' }),
      dimension: 4,
      batchSize: 8,
    });
    expect(await embedder.embed(['a', 'b'], document)).to.have.length(2);
    await embedder.embed(['c'], document);
    expect(server.requests.map(({ path }) => path)).to.deep.equal([
      '/api/embed',
      '/api/embeddings',
      '/api/embeddings',
      '/api/embeddings',
    ]);
  });
});

describe('requests to OpenAI', () => {
  const request = { texts: ['a'], purpose: 'query', dimension: 1_024 } as const;

  it('contain a size only where the size is selectable', () => {
    const official = { baseUrl: 'https://api.openai.com/v1', model: 'text-embedding-3-small' };
    expect(openAiBody(request, official)).to.have.property('dimensions', 1_024);
    expect(openAiBody(request, { ...official, model: 'text-embedding-ada-002' })).not.to.have.property('dimensions');
    expect(openAiBody(request, { ...official, baseUrl: 'https://api.openai.com.example.org/v1' })).not.to.have.property(
      'dimensions',
    );
  });

  it('use the large model for sizes above the small one', () => {
    expect(openAiModelFor('text-embedding-3-small', 1_536)).to.equal('text-embedding-3-small');
    expect(openAiModelFor('text-embedding-3-small', 1_537)).to.equal('text-embedding-3-large');
    expect(openAiModelFor('mine', 2_000)).to.equal('mine');
  });
});

async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'resolved',
    (error: unknown) => error,
  );
}
