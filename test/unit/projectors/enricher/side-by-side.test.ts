import { expect } from 'chai';
import { enricherConfig } from '../../../../projectors/enricher/enricher-config.js';
import { sideBySide } from '../../../../projectors/enricher/side-by-side.js';
import { ConfigurationError } from '../../../../shared/kernel/config.js';
import { rejection } from '../../../support/rejection.js';

describe('work side by side', () => {
  it('is bounded, and its results are in the order of the things', async () => {
    let [running, most] = [0, 0];
    const results = await sideBySide([5, 1, 3, 2, 4], 2, async (turns) => {
      most = Math.max(most, ++running);
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      running -= 1;
      return turns * 10;
    });
    expect(results).to.deep.equal([50, 10, 30, 20, 40]);
    expect(most).to.equal(2);
  });

  it('fails with the first that fails', async () => {
    expect(
      await rejection(
        sideBySide([1, 2], 2, async (thing) => {
          throw new Error(`of ${thing}`);
        }),
      ),
    ).to.include({ message: 'of 1' });
  });

  it('is nothing for nothing', async () => {
    expect(await sideBySide([], 4, async () => 1)).to.deep.equal([]);
  });
});

describe('the variables of the enricher', () => {
  it('have the defaults of the contract', () => {
    expect(enricherConfig({})).to.deep.equal({
      maxAttempts: 3,
      failureBackoffMs: 5_000,
      similarity: { limit: 5, threshold: 0.8 },
      summaries: true,
    });
  });

  it('say what is wrong with them, all at once', () => {
    expect(() => enricherConfig({ ENRICHMENT_MAX_ATTEMPTS: '0', ENRICHMENT_SIMILARITY_THRESHOLD: '1.5' })).to.throw(
      ConfigurationError,
      /ENRICHMENT_MAX_ATTEMPTS must be at least 1[^]*ENRICHMENT_SIMILARITY_THRESHOLD must be at most 1/u,
    );
  });
});
