import { expect } from 'chai';
import { cacheQueryVectors } from '../../../../shared/engines/models/cache-query-vectors.js';
import { createWordHashEmbedder } from '../../../support/adapters/word-hash-embedder.js';

const query = { purpose: 'query' } as const;

describe('cacheQueryVectors', () => {
  it('embeds a repeated query once and returns the same vector', async () => {
    const embedder = createWordHashEmbedder();
    const cached = cacheQueryVectors(embedder);
    const [first] = await cached.embed(['dark mode'], query);
    const [second] = await cached.embed(['dark mode'], query);
    expect(embedder.calls).to.deep.equal([['dark mode']]);
    expect(second).to.deep.equal(first);
  });

  it('embeds only unknown queries and keeps the order', async () => {
    const embedder = createWordHashEmbedder();
    const cached = cacheQueryVectors(embedder);
    await cached.embed(['b'], query);
    const vectors = await cached.embed(['a', 'b', 'c'], query);
    expect(embedder.calls[1]).to.deep.equal(['a', 'c']);
    expect(vectors).to.deep.equal(await embedder.embed(['a', 'b', 'c'], query));
  });

  it('drops the least recently used query when it is full', async () => {
    const embedder = createWordHashEmbedder();
    const cached = cacheQueryVectors(embedder, { limit: 2 });
    for (const text of ['a', 'b', 'c', 'a']) await cached.embed([text], query);
    expect(embedder.calls).to.have.length(4);
  });

  it('returns vectors that the caller can change', async () => {
    const cached = cacheQueryVectors(createWordHashEmbedder());
    const [first] = await cached.embed(['dark mode'], query);
    const before = first?.slice();
    first?.fill(9);
    expect((await cached.embed(['dark mode'], query))[0]).to.deep.equal(before);
  });

  it('does not cache documents', async () => {
    const embedder = createWordHashEmbedder();
    const cached = cacheQueryVectors(embedder);
    for (let i = 0; i < 2; i += 1) await cached.embed(['dark mode'], { purpose: 'document' });
    expect(embedder.calls).to.have.length(2);
  });
});
