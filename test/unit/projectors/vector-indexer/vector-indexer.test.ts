import { expect } from 'chai';
import { createVectorIndexer, SLICE_MEMORIES } from '../../../../projectors/vector-indexer/vector-indexer.js';
import { DependencyError, PoisonError } from '../../../../shared/kernel/errors.js';
import { type Embedder, type EmbeddingCache, embeddingRef } from '../../../../shared/ports/embedder.js';
import { openProjections, type Projections } from '../../../support/adapters/projections.js';
import { createWordHashEmbedder } from '../../../support/adapters/word-hash-embedder.js';
import { countedTurns } from '../../../support/fixtures/counted-turns.js';
import { memoryId } from '../../../support/fixtures/memories.js';
import { filter } from '../../../support/fixtures/points.js';
import { deleted, erased, stored } from '../../../support/fixtures/projector-events.js';

const signal = new AbortController().signal;

describe('vector indexer', () => {
  let projections: Projections;
  let embedder: ReturnType<typeof createWordHashEmbedder>;
  let indexer: ReturnType<typeof createVectorIndexer>;
  beforeEach(async () => {
    projections = await openProjections({ dimension: 16 });
    embedder = createWordHashEmbedder(16);
    indexer = createVectorIndexer({ embedder, ...projections });
  });
  afterEach(() => projections.close());

  async function nearest(text: string, wanted = filter()): Promise<readonly string[]> {
    const [vector = new Float32Array()] = await createWordHashEmbedder(16).embed([text], { purpose: 'query' });
    return (await projections.vectors.search({ vector, limit: 5, filter: wanted })).map(({ id }) => id);
  }

  it('indexes a memory with the vector of its content and its filter properties', async () => {
    await indexer.project(
      [
        stored(1, {
          content: 'dark mode',
          tags: ['ui:theme'],
          tag_prefixes: ['ui', 'ui:theme'],
          t_invalid: '2024-06-02T00:00:00+00:00',
        }),
        stored(2, { content: 'postgres migrations', type: 'Decision' }),
      ],
      signal,
    );
    expect(await nearest('postgres migrations')).to.deep.equal([memoryId(2)]);
    const lapsed = filter({ state: 'lapsed', tags: { values: ['ui'], mode: 'any', match: 'prefix' } });
    expect(await nearest('dark mode', lapsed)).to.deep.equal([memoryId(1)]);
    expect(await projections.vectors.count({ excludedTypes: ['Decision'] })).to.equal(1);
  });

  it('changes nothing when the same events come again, and embeds no text twice', async () => {
    const events = [stored(1, { content: 'a' }), stored(1, { version: 2, content: 'b' }), stored(2, { content: 'b' })];
    await indexer.project(events, signal);
    await indexer.project(events, signal);
    await indexer.project([events[0] ?? stored(1)], signal);
    expect(await projections.vectors.versions([memoryId(1), memoryId(2)])).to.deep.equal(
      new Map([
        [memoryId(1), 2],
        [memoryId(2), 1],
      ]),
    );
    expect(embedder.calls).to.deep.equal([['b'], ['a']]);
  });

  it('embeds a bulk in slices', async () => {
    await indexer.project(
      Array.from({ length: SLICE_MEMORIES + 1 }, (_, number) => stored(number)),
      signal,
    );
    expect(embedder.calls.map(({ length }) => length)).to.deep.equal([SLICE_MEMORIES, 1]);
  });

  it('gives way to the callers of other tenants with what can wait', async () => {
    const giveWay = countedTurns();
    const received: boolean[] = [];
    const noting: Embedder = {
      ...embedder,
      embed: (texts, options) => {
        received.push(options.giveWay === giveWay);
        return embedder.embed(texts, options);
      },
    };
    const giving = createVectorIndexer({ embedder: noting, ...projections, giveWay });
    const bulk = Array.from({ length: SLICE_MEMORIES + 1 }, (_, number) => stored(number));
    await giving.project(bulk.slice(0, 1), signal);
    expect([received, giveWay.turns()], 'one memory does not wait').to.deep.equal([[false], 0]);
    await giving.project(bulk, signal);
    expect([received, giveWay.turns()], 'the encoder takes the turns').to.deep.equal([[false, true], 0]);
    await giving.project(bulk, signal);
    expect(giveWay.turns(), 'each slice of known vectors takes one').to.equal(2);
  });

  it('uses a supplied vector instead of the text', async () => {
    const vector = Float32Array.from({ length: 16 }, (_, index) => (index === 3 ? 1 : 0));
    await projections.cache.put([{ ref: 'supplied:1', memoryId: memoryId(1), vector }]);
    await indexer.project([stored(1, { vectorRef: 'supplied:1' })], signal);
    const [hit] = await projections.vectors.search({ vector, limit: 1, filter: filter() });
    expect(hit).to.have.property('similarity').closeTo(1, 1e-6);
    expect(embedder.calls).to.deep.equal([]);
  });

  it('throws PoisonError for a missing supplied vector', async () => {
    expect(await rejectionOf(indexer.project([stored(1, { vectorRef: 'supplied:gone' })], signal))).to.be.instanceOf(
      PoisonError,
    );
  });

  it('embeds the content of a memory whose supplied vector has another dimension', async () => {
    await projections.cache.put([{ ref: 'supplied:short', memoryId: memoryId(2), vector: Float32Array.of(1, 2) }]);
    await indexer.project([stored(2, { vectorRef: 'supplied:short' })], signal);
    const [point] = await projections.vectors.points([memoryId(2)]);
    expect(point?.model).to.equal(embedder.model);
  });

  it('removes a deleted memory and its cached vector, even against later events', async () => {
    const first = stored(1, { content: 'secret' });
    await indexer.project([first], signal);
    await indexer.project([deleted(1, 2)], signal);
    await indexer.project([first, deleted(1, 2)], signal);
    await indexer.project([erased(first)], signal);
    expect(await projections.vectors.count({ excludedTypes: [] })).to.equal(0);
    expect(await cached(projections.cache, embeddingRef(embedder.model, 'secret'))).to.equal(false);
  });

  it('keeps a cached vector that another memory uses', async () => {
    await indexer.project([stored(1, { content: 'same' }), stored(2, { content: 'same' })], signal);
    await indexer.project([deleted(1, 2)], signal);
    expect(await cached(projections.cache, embeddingRef(embedder.model, 'same'))).to.equal(true);
  });

  it('rethrows the failure of the embedder and indexes nothing', async () => {
    const failing = { ...embedder, embed: () => Promise.reject(new DependencyError('embedding', 'down')) };
    const waiting = createVectorIndexer({ embedder: failing, ...projections });
    expect(await rejectionOf(waiting.project([stored(1)], signal))).to.be.instanceOf(DependencyError);
    expect(await projections.vectors.count({ excludedTypes: [] })).to.equal(0);
  });
});

async function cached(cache: EmbeddingCache, ref: string): Promise<boolean> {
  return (await cache.get([ref])).has(ref);
}

async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'resolved',
    (error: unknown) => error,
  );
}
