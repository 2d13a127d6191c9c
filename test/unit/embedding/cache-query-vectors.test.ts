import { expect } from 'chai';
import { cacheQueryVectors } from '../../../shared/embedding/cache-query-vectors.js';
import { createWordHashEmbedder } from '../../support/embedding.js';

const query = { purpose: 'query' } as const;

describe('query vector cache', () => {
  it('asks the embedder once for a query that comes twice, and gives the same vector', async () => {
    const embedder = createWordHashEmbedder();
    const cached = cacheQueryVectors(embedder);
    const [first] = await cached.embed(['dark mode'], query);
    const [second] = await cached.embed(['dark mode'], query);
    expect(embedder.calls).to.deep.equal([['dark mode']]);
    expect(second).to.deep.equal(first);
  });

  it('asks only for the queries that it does not know and keeps their order', async () => {
    const embedder = createWordHashEmbedder();
    const cached = cacheQueryVectors(embedder);
    await cached.embed(['b'], query);
    const vectors = await cached.embed(['a', 'b', 'c'], query);
    expect(embedder.calls[1]).to.deep.equal(['a', 'c']);
    expect(vectors).to.deep.equal(await embedder.embed(['a', 'b', 'c'], query));
  });

  it('forgets the query asked longest ago when it is full', async () => {
    const embedder = createWordHashEmbedder();
    const cached = cacheQueryVectors(embedder, { limit: 2 });
    for (const text of ['a', 'b', 'c', 'a']) await cached.embed([text], query);
    expect(embedder.calls).to.have.length(4);
  });

  it('hands out vectors that a caller may change', async () => {
    const cached = cacheQueryVectors(createWordHashEmbedder());
    const [first] = await cached.embed(['dark mode'], query);
    const before = first?.slice();
    first?.fill(9);
    expect((await cached.embed(['dark mode'], query))[0]).to.deep.equal(before);
  });

  it('passes documents through', async () => {
    const embedder = createWordHashEmbedder();
    const cached = cacheQueryVectors(embedder);
    for (let i = 0; i < 2; i += 1) await cached.embed(['dark mode'], { purpose: 'document' });
    expect(embedder.calls).to.have.length(2);
  });
});
