import { expect } from 'chai';
import { chooseEmbedder, expectedDimension } from '../../../../shared/engines/models/choose-embedder.js';
import { embeddingVariables } from '../../../../shared/engines/models/embedding-variables.js';
import { ConfigurationError, type Environment, readVariables } from '../../../../shared/kernel/config/config.js';
import { silentLogger } from '../../../../shared/kernel/logger.js';
import {
  type EmbeddingReply,
  type EmbeddingRequest,
  type EmbeddingServer,
  healthyReply,
  startEmbeddingServer,
} from '../../../support/servers/embedding-server.js';

describe('chooseEmbedder', () => {
  const servers: EmbeddingServer[] = [];
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

  async function serve(answer: (asked: EmbeddingRequest) => EmbeddingReply | Promise<EmbeddingReply>): Promise<string> {
    const server = await startEmbeddingServer(answer);
    servers.push(server);
    return server.url;
  }

  async function chosen(environment: Environment): Promise<{ readonly model: string; readonly dimension: number }> {
    const embedder = await chooseEmbedder({
      settings: readVariables(embeddingVariables, environment),
      logger: silentLogger,
    });
    await embedder.close();
    return { model: embedder.model, dimension: embedder.dimension };
  }

  async function problemOf(environment: Environment): Promise<string> {
    const error = await chosen(environment).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(ConfigurationError);
    return String(error);
  }

  it('returns the bundled encoder when nothing is configured', async () => {
    expect(await chosen({})).to.have.property('dimension', 384);
    expect((await chosen({ EMBEDDING_PROVIDER: 'local' })).model).to.match(/^bundled\//u);
  });

  it('throws for a size that the bundled encoder cannot make', async () => {
    expect(await problemOf({ VECTOR_SIZE: '1024' }))
      .to.contain('VECTOR_SIZE')
      .and.contain('384');
    expect(await problemOf({ QDRANT_VECTOR_SIZE: '768', EMBEDDING_PROVIDER: 'bundled' })).to.contain('384');
  });

  it('rejects placeholder vectors', async () => {
    expect(await problemOf({ EMBEDDING_PROVIDER: 'placeholder' })).to.contain('EMBEDDING_PROVIDER');
  });

  it('prefers Voyage to OpenAI, and OpenAI to Ollama', async () => {
    const url = await serve(healthyReply(1_024));
    const all = {
      VOYAGE_API_KEY: 'v',
      VOYAGE_BASE_URL: url,
      OPENAI_API_KEY: 'o',
      OPENAI_BASE_URL: `${url}/`,
      OLLAMA_BASE_URL: url,
    };
    expect(await chosen(all)).to.deep.equal({ model: 'voyage/voyage-4/1024', dimension: 1_024 });
    expect((await chosen({ ...all, VOYAGE_API_KEY: '' })).model).to.equal('openai/text-embedding-3-small/1024');
    expect((await chosen({ OLLAMA_BASE_URL: url })).model).to.equal('ollama/nomic-embed-text/1024');
  });

  it('tries the next provider in auto, and the bundled encoder last', async () => {
    const url = await serve(({ path }) => (path === '/embeddings' ? { status: 401 } : { status: 404 }));
    const all = {
      VOYAGE_API_KEY: 'v',
      VOYAGE_BASE_URL: url,
      OPENAI_API_KEY: 'o',
      OPENAI_BASE_URL: url,
      OLLAMA_BASE_URL: url,
    };
    expect((await chosen(all)).model).to.match(/^bundled\//u);
  });

  it('throws when the named provider is not configured, refuses or stays silent', async () => {
    const refusing = await serve(() => ({ status: 401 }));
    const broken = await serve(() => ({ status: 500 }));
    expect(await problemOf({ EMBEDDING_PROVIDER: 'openai' })).to.contain('OPENAI_API_KEY');
    expect(await problemOf({ EMBEDDING_PROVIDER: 'voyage' })).to.contain('VOYAGE_API_KEY');
    expect(await problemOf({ EMBEDDING_PROVIDER: 'openai', OPENAI_API_KEY: 'sk-wrong', OPENAI_BASE_URL: refusing }))
      .to.contain('OPENAI_API_KEY')
      .and.not.contain('sk-wrong')
      .and.not.contain('127.0.0.1');
    expect(await problemOf({ EMBEDDING_PROVIDER: 'ollama', OLLAMA_BASE_URL: broken })).to.contain('VECTOR_SIZE');
    expect(await problemOf({ EMBEDDING_PROVIDER: 'ollama', OLLAMA_BASE_URL: 'not an address' })).to.contain(
      'OLLAMA_BASE_URL',
    );
  });

  it('accepts a provider that does not answer when the size is known', async () => {
    const broken = await serve(() => ({ status: 500 }));
    expect(
      await chosen({ EMBEDDING_PROVIDER: 'ollama', OLLAMA_BASE_URL: broken, VECTOR_SIZE: '768' }),
    ).to.have.property('dimension', 768);
    expect(await chosen({ VOYAGE_API_KEY: 'v', VOYAGE_BASE_URL: broken })).to.have.property('dimension', 1_024);
  });

  it('takes the only size of a model, and throws when another is configured', async () => {
    const url = await serve(healthyReply(768));
    expect(await chosen({ OLLAMA_BASE_URL: url })).to.have.property('dimension', 768);
    expect(await problemOf({ OLLAMA_BASE_URL: url, VECTOR_SIZE: '1024' })).to.contain('VECTOR_SIZE=768');
    expect(await problemOf({ OPENAI_API_KEY: 'o', OPENAI_BASE_URL: url, VECTOR_SIZE: '512' })).to.contain('768');
  });

  it('throws for a size that Voyage or OpenAI cannot make, without a request', async () => {
    expect(await problemOf({ VOYAGE_API_KEY: 'v', VECTOR_SIZE: '768' })).to.contain('256, 512, 1024, 2048');
    expect(await problemOf({ OPENAI_API_KEY: 'o', VECTOR_SIZE: '4096' })).to.contain('3072');
  });
});

describe('expectedDimension', () => {
  const cases: readonly (readonly [Environment, number | null])[] = [
    [{}, 384],
    [{ VECTOR_SIZE: '768' }, 768],
    [{ EMBEDDING_PROVIDER: 'openai', OPENAI_API_KEY: 'key' }, 1_024],
    [{ VOYAGE_API_KEY: 'key' }, 1_024],
    [{ OLLAMA_MODEL: 'nomic-embed-text' }, null],
  ];
  for (const [environment, size] of cases) {
    it(`returns ${size} for ${JSON.stringify(environment)}`, () => {
      expect(expectedDimension(readVariables(embeddingVariables, environment))).to.equal(size);
    });
  }
});
