import { expect } from 'chai';
import { enricherConfig } from '../../../../projectors/enricher/enricher-config.js';
import { ConfigurationError } from '../../../../shared/kernel/config/config.js';

describe('enricherConfig', () => {
  it('has the defaults of the contract', () => {
    expect(enricherConfig({})).to.deep.equal({
      maxAttempts: 3,
      failureBackoffMs: 5_000,
      similarity: { limit: 5, threshold: 0.8 },
      summaries: true,
    });
  });

  it('reports all problems in one error', () => {
    expect(() => enricherConfig({ ENRICHMENT_MAX_ATTEMPTS: '0', ENRICHMENT_SIMILARITY_THRESHOLD: '1.5' })).to.throw(
      ConfigurationError,
      /ENRICHMENT_MAX_ATTEMPTS must be at least 1[\s\S]*ENRICHMENT_SIMILARITY_THRESHOLD must be at most 1/u,
    );
  });
});
