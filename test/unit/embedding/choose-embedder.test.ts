import { expect } from 'chai';
import { chooseEmbedder } from '../../../shared/embedding/choose-embedder.js';
import { embeddingVariables } from '../../../shared/embedding/embedding-variables.js';
import { ConfigurationError, readVariables, type Environment } from '../../../shared/kernel/config.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import {
  healthyAnswer,
  startEmbeddingServer,
  type Answer,
  type Asked,
  type EmbeddingServer,
} from '../../support/embedding-server.js';

describe('choice of the embedder', () => {
  const servers: EmbeddingServer[] = [];
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

  async function serve(answer: (asked: Asked) => Answer | Promise<Answer>): Promise<string> {
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

  it('is the bundled encoder with its own size when nothing is configured', async () => {
    expect(await chosen({})).to.have.property('dimension', 512);
    expect((await chosen({ EMBEDDING_PROVIDER: 'local' })).model).to.match(/^bundled\//u);
  });

  it('stops the start for a size that the bundled encoder cannot make', async () => {
    expect(await problemOf({ VECTOR_SIZE: '1024' }))
      .to.contain('VECTOR_SIZE')
      .and.contain('512');
    expect(await problemOf({ QDRANT_VECTOR_SIZE: '768', EMBEDDING_PROVIDER: 'bundled' })).to.contain('512');
  });

  it('refuses placeholder vectors', async () => {
    expect(await problemOf({ EMBEDDING_PROVIDER: 'placeholder' })).to.contain('EMBEDDING_PROVIDER');
  });

  it('prefers Voyage to OpenAI and OpenAI to Ollama when all are configured', async () => {
    const url = await serve(healthyAnswer(1_024));
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

  it('goes on to the next provider in auto when one refuses, and to the bundled encoder at last', async () => {
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

  it('stops the start when the provider that is named is not configured, refuses, or is silent about its size', async () => {
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

  it('starts with a provider that is down for now when the size is known', async () => {
    const broken = await serve(() => ({ status: 500 }));
    expect(
      await chosen({ EMBEDDING_PROVIDER: 'ollama', OLLAMA_BASE_URL: broken, VECTOR_SIZE: '768' }),
    ).to.have.property('dimension', 768);
    expect(await chosen({ VOYAGE_API_KEY: 'v', VOYAGE_BASE_URL: broken })).to.have.property('dimension', 1_024);
  });

  it('takes the size of a model that has only one, and stops the start when another is set', async () => {
    const url = await serve(healthyAnswer(768));
    expect(await chosen({ OLLAMA_BASE_URL: url })).to.have.property('dimension', 768);
    expect(await problemOf({ OLLAMA_BASE_URL: url, VECTOR_SIZE: '1024' })).to.contain('VECTOR_SIZE=768');
    expect(await problemOf({ OPENAI_API_KEY: 'o', OPENAI_BASE_URL: url, VECTOR_SIZE: '512' })).to.contain('768');
  });

  it('stops the start for a size that Voyage or OpenAI cannot make, before anybody is asked', async () => {
    expect(await problemOf({ VOYAGE_API_KEY: 'v', VECTOR_SIZE: '768' })).to.contain('256, 512, 1024, 2048');
    expect(await problemOf({ OPENAI_API_KEY: 'o', VECTOR_SIZE: '4096' })).to.contain('3072');
  });
});
