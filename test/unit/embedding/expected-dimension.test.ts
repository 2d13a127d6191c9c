import { expect } from 'chai';
import { embeddingVariables } from '../../../shared/embedding/embedding-variables.js';
import { expectedDimension } from '../../../shared/embedding/expected-dimension.js';
import { readVariables, type Environment } from '../../../shared/kernel/config.js';

describe('the size of vectors that is expected of settings', () => {
  const cases: readonly (readonly [Environment, number | null])[] = [
    [{}, 512],
    [{ VECTOR_SIZE: '768' }, 768],
    [{ EMBEDDING_PROVIDER: 'openai', OPENAI_API_KEY: 'key' }, 1_024],
    [{ VOYAGE_API_KEY: 'key' }, 1_024],
    [{ OLLAMA_MODEL: 'nomic-embed-text' }, null],
  ];
  for (const [environment, size] of cases) {
    it(`is ${size} for ${JSON.stringify(environment)}`, () => {
      expect(expectedDimension(readVariables(embeddingVariables, environment))).to.equal(size);
    });
  }
});
