import { expect } from 'chai';
import { batchEmbeddings } from '../../../../../../query-api/recall/retrieve/sources/vector.js';
import { DeadlineError, DependencyError, PoisonError } from '../../../../../../shared/kernel/errors.js';
import type { Embedder } from '../../../../../../shared/ports/embedder.js';
import { createWordHashEmbedder } from '../../../../../support/adapters/word-hash-embedder.js';

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

describe('batched query embeddings', () => {
  it('use one call and return each text its vector', async () => {
    const embedder = createWordHashEmbedder();
    const embed = batchEmbeddings(embedder, { timeoutMs: 3_000 });
    const texts = ['red', 'blue', 'red'];
    const found = await Promise.all(texts.map(embed));
    expect(embedder.calls).to.deep.equal([texts]);
    expect(found.map(({ vector }) => vector)).to.deep.equal(await embedder.embed(texts, { purpose: 'query' }));
    expect(new Set(found.map(({ model }) => model))).to.deep.equal(new Set([embedder.model]));
  });

  it('leave the encoder when no recall waits for them any more', async () => {
    const embedder = createWordHashEmbedder();
    const waiting: Embedder = {
      ...embedder,
      embed: (_, { signal }) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new DeadlineError('late')))),
    };
    expect(await outcome(batchEmbeddings(waiting, { timeoutMs: 10 })('a'))).to.be.instanceOf(DeadlineError);
  });

  it('use one call per turn and per 32 texts', async () => {
    const embedder = createWordHashEmbedder();
    const embed = batchEmbeddings(embedder, { timeoutMs: 3_000 });
    await embed('first');
    await Promise.all(Array.from({ length: 33 }, (_, index) => embed(`text ${index}`)));
    expect(embedder.calls.map(({ length }) => length)).to.deep.equal([1, 32, 1]);
  });

  it('use a call for short texts and another for long ones', async () => {
    const embedder = createWordHashEmbedder();
    const embed = batchEmbeddings(embedder, { timeoutMs: 3_000 });
    const long = 'harbour '.repeat(500);
    await Promise.all(['where', long, 'when'].map(embed));
    expect(embedder.calls).to.deep.equal([['where', 'when'], [long]]);
  });

  it('reject for all texts when the provider fails', async () => {
    const down = new DependencyError('embedding', 'down');
    const embed = batchEmbeddings(
      failingWith(down, () => true),
      { timeoutMs: 3_000 },
    );
    expect(await Promise.all(['a', 'b'].map((text) => outcome(embed(text))))).to.deep.equal([down, down]);
  });

  it('reject only for the text that the provider rejects', async () => {
    const refused = new PoisonError('rejected');
    const embed = batchEmbeddings(
      failingWith(refused, (texts) => texts.includes('poison')),
      { timeoutMs: 3_000 },
    );
    expect(await Promise.all(['a', 'poison', 'b'].map((text) => outcome(embed(text))))).to.deep.equal([
      'vector',
      refused,
      'vector',
    ]);
  });
});
