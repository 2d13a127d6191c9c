import { expect } from 'chai';
import { embedTogether } from '../../../query-api/recall/sources/embed-together.js';
import type { Embedder } from '../../../shared/embedding/embedder.js';
import { DependencyError, PoisonError } from '../../../shared/kernel/errors.js';
import { createWordHashEmbedder } from '../../support/embedding.js';

const failingWith = (error: Error, when: (texts: readonly string[]) => boolean) => {
  const embedder = createWordHashEmbedder();
  const embed: Embedder['embed'] = (texts, options) =>
    when(texts) ? Promise.reject(error) : embedder.embed(texts, options);
  return { ...embedder, embed };
};
const outcome = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'vector',
    (error: unknown) => error,
  );

describe('embedding the queries of one recall', () => {
  it('takes one call, and gives each its own vector', async () => {
    const embedder = createWordHashEmbedder();
    const embed = embedTogether(embedder);
    const texts = ['red', 'blue', 'red'];
    const vectors = await Promise.all(texts.map(embed));
    expect(embedder.calls).to.deep.equal([texts]);
    expect(vectors).to.deep.equal(await embedder.embed(texts, { purpose: 'query' }));
  });

  it('takes a call for each turn, and for each 32 texts', async () => {
    const embedder = createWordHashEmbedder();
    const embed = embedTogether(embedder);
    await embed('first');
    await Promise.all(Array.from({ length: 33 }, (_, index) => embed(`text ${index}`)));
    expect(embedder.calls.map(({ length }) => length)).to.deep.equal([1, 32, 1]);
  });

  it('fails for all when the provider fails', async () => {
    const down = new DependencyError('embedding', 'down');
    const embed = embedTogether(failingWith(down, () => true));
    expect(await Promise.all(['a', 'b'].map((text) => outcome(embed(text))))).to.deep.equal([down, down]);
  });

  it('fails for a text alone that the provider refuses', async () => {
    const refused = new PoisonError('refused');
    const embed = embedTogether(failingWith(refused, (texts) => texts.includes('poison')));
    expect(await Promise.all(['a', 'poison', 'b'].map((text) => outcome(embed(text))))).to.deep.equal([
      'vector',
      refused,
      'vector',
    ]);
  });
});
