import { expect } from 'chai';
import { ConfigurationError } from '../../../shared/kernel/config/config.js';
import { ConflictError, DependencyError, ValidationError } from '../../../shared/kernel/errors.js';
import type { OpenTarget } from '../../../shared/ports/vector-spaces.js';
import type { EmbeddingTarget } from '../../../shared/ports/vector-spaces.js';
import { probePrevious, probeTarget } from '../../../shared/spaces/probe-target.js';
import { createWordHashEmbedder } from '../../support/adapters/word-hash-embedder.js';
import { rejection } from '../../support/checks/rejection.js';

/** A provider with the models `small` and `large` and the sizes 8 and 16; without a key it refuses everything. */
function openerOf({ hasKey = true } = {}): { readonly open: OpenTarget; readonly closed: () => number } {
  let closed = 0;
  return {
    closed: () => closed,
    open: async (target) => {
      const { model = 'small', vectorSize = 8 } = target ?? {};
      if (!hasKey || !['small', 'large'].includes(model) || ![8, 16].includes(vectorSize))
        throw new ConfigurationError([`no ${model} of ${vectorSize}`]);
      return {
        ...createWordHashEmbedder(vectorSize),
        model: `${model}/${vectorSize}`,
        close: async () => void closed++,
      };
    },
  };
}

const OLLAMA: EmbeddingTarget = { provider: 'ollama' };

describe('probeTarget', () => {
  it('returns model and size of the target, and closes its embedder', async () => {
    const { open, closed } = openerOf();
    expect(await probeTarget(open, { ...OLLAMA, model: 'large', vectorSize: 16 })).to.deep.equal({
      model: 'large/16',
      dimension: 16,
    });
    expect(await probeTarget(open, null)).to.deep.equal({ model: 'small/8', dimension: 8 });
    expect(closed()).to.equal(2);
  });

  const WRONG: readonly (readonly [string, EmbeddingTarget, object])[] = [
    ['vector_size', { ...OLLAMA, model: 'large', vectorSize: 9 }, {}],
    ['model', { ...OLLAMA, model: 'huge', vectorSize: 8 }, {}],
    ['model', { ...OLLAMA, model: 'huge', vectorSize: 9 }, {}],
    ['provider', { ...OLLAMA, model: 'large' }, { hasKey: false }],
    ['provider', OLLAMA, { hasKey: false }],
  ];
  for (const [field, target, options] of WRONG)
    it(`names ${field} for ${JSON.stringify(target)} ${JSON.stringify(options)}`, async () => {
      const error = await rejection(probeTarget(openerOf(options).open, target));
      expect(error).to.be.instanceOf(ValidationError);
      expect((error as ValidationError).field).to.equal(field);
    });

  it('rethrows the failure of a provider that does not answer', async () => {
    const silent: OpenTarget = async () => ({
      ...createWordHashEmbedder(8),
      embed: () => Promise.reject(new DependencyError('embedding', 'down')),
    });
    expect(await rejection(probeTarget(silent, OLLAMA))).to.be.instanceOf(DependencyError);
  });
});

describe('probePrevious', () => {
  it('refuses a previous index whose model cannot be opened, or is another one now', async () => {
    const previous = { target: null, model: 'small/8', dimension: 8 };
    await probePrevious(openerOf().open, previous);
    for (const [options, model] of [
      [{ hasKey: false }, 'small/8'],
      [{}, 'other/8'],
    ] as const) {
      const error = await rejection(probePrevious(openerOf(options).open, { ...previous, model }));
      expect(error).to.be.instanceOf(ConflictError);
      expect(error.message).to.contain(model);
    }
  });
});
