import { expect } from 'chai';
import { embeddingVariables } from '../../../../shared/engines/models/embedding-variables.js';
import { configuredProvider, createOpenTarget, settingsOf } from '../../../../shared/engines/models/open-target.js';
import { ConfigurationError, readVariables } from '../../../../shared/kernel/config/config.js';
import { silentLogger } from '../../../../shared/kernel/logger.js';
import { rejection } from '../../../support/checks/rejection.js';
import { healthyReply, startEmbeddingServer } from '../../../support/servers/embedding-server.js';

const settings = (environment: Readonly<Record<string, string>>) => readVariables(embeddingVariables, environment);

describe('createOpenTarget', () => {
  it('opens the model and the size of the target at the configured server', async () => {
    const server = await startEmbeddingServer(healthyReply(24));
    try {
      const open = createOpenTarget({
        settings: settings({ OLLAMA_BASE_URL: server.url, OLLAMA_MODEL: 'configured', VECTOR_SIZE: '512' }),
        logger: silentLogger,
      });
      const embedder = await open({ provider: 'ollama', model: 'wanted' });
      expect([embedder.model, embedder.dimension]).to.deep.equal(['ollama/wanted/24', 24]);
      expect(server.requests.map(({ body }) => body['model'])).to.include('wanted');
      await embedder.close();
      expect(await rejection(open({ provider: 'ollama', vectorSize: 25 }))).to.be.instanceOf(ConfigurationError);
    } finally {
      await server.close();
    }
  });

  it('refuses a model of the bundled encoder, which has only one', () => {
    expect(() => settingsOf({ provider: 'bundled', model: 'other' }, settings({}))).to.throw(ConfigurationError);
  });

  it('takes the default size of the model where the target has none', () => {
    const { VECTOR_SIZE: size } = settingsOf({ provider: 'openai' }, settings({ VECTOR_SIZE: '512' }));
    expect(size).to.equal(undefined);
  });
});

describe('configuredProvider', () => {
  it('is the named provider, and with auto the first one that is configured', () => {
    expect(configuredProvider(settings({ EMBEDDING_PROVIDER: 'local' }))).to.equal('bundled');
    expect(configuredProvider(settings({ OPENAI_API_KEY: 'key' }))).to.equal('openai');
    expect(configuredProvider(settings({}))).to.equal('bundled');
  });
});
