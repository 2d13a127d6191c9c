import { expect } from 'chai';
import { languageConfig } from '../../../../shared/engines/models/language-variables.js';

describe('languageConfig', () => {
  it('returns no model without a key and a base URL', () => {
    expect(languageConfig({})).to.equal(null);
  });

  it('uses the embedding endpoint unless it has its own', () => {
    expect(languageConfig({ OPENAI_API_KEY: 'a' })).to.deep.equal({
      baseUrl: 'https://api.openai.com/v1',
      apiKey: 'a',
      model: 'gpt-4o-mini',
      timeoutMs: 8_000,
    });
    expect(
      languageConfig({
        OPENAI_API_KEY: 'a',
        CLASSIFICATION_BASE_URL: 'http://model:1/v1',
        CLASSIFICATION_API_KEY: 'b',
      }),
    ).to.include({
      baseUrl: 'http://model:1/v1',
      apiKey: 'b',
    });
  });

  it('uses an embedding endpoint without a key only when openai is selected', () => {
    expect(languageConfig({ OPENAI_BASE_URL: 'http://embeddings:1/v1' })).to.equal(null);
    expect(languageConfig({ OPENAI_BASE_URL: 'http://model:1/v1', LANGUAGE_PROVIDER: 'openai' })).to.include({
      baseUrl: 'http://model:1/v1',
      apiKey: null,
    });
  });

  it('returns no model for LANGUAGE_PROVIDER=none', () => {
    expect(languageConfig({ OPENAI_API_KEY: 'a', LANGUAGE_PROVIDER: 'none' })).to.equal(null);
  });
});
