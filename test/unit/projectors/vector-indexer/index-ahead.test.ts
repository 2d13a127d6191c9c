/** Memories that were written alone are indexed while a backlog before them is embedded. */
import { expect } from 'chai';
import { createVectorIndexer, SLICE_MEMORIES } from '../../../../projectors/vector-indexer/vector-indexer.js';
import type { RecordedEvent } from '../../../../shared/contract/events.js';
import { silentLogger } from '../../../../shared/kernel/logger.js';
import { type Embedder, embeddingRef } from '../../../../shared/ports/embedder.js';
import { openProjections, type Projections } from '../../../support/adapters/projections.js';
import { createWordHashEmbedder } from '../../../support/adapters/word-hash-embedder.js';
import { until } from '../../../support/checks/until.js';
import { memoryId } from '../../../support/fixtures/memories.js';
import { deleted, stored } from '../../../support/fixtures/projector-events.js';

const signal = new AbortController().signal;
const BACKLOG = SLICE_MEMORIES + 1;
const BATCH = 'a batch of many';

describe('index ahead of a backlog', () => {
  let projections: Projections;
  beforeEach(async () => {
    projections = await openProjections({ dimension: 16 });
  });
  afterEach(() => projections.close());

  const event = (number: number, correlationId: string): RecordedEvent => ({
    ...stored(number, { content: `text ${number}` }),
    position: number,
    correlationId,
  });
  const backlog = Array.from({ length: BACKLOG }, (_, index) => event(index + 1, BATCH));

  /** Embeds the backlog only after `isOver`. */
  function indexing(later: readonly RecordedEvent[], isOver: () => Promise<boolean>) {
    const plain = createWordHashEmbedder(16);
    const urgent: string[] = [];
    const embedder: Embedder = {
      ...plain,
      embed: async (texts, options) => {
        if (options.isUrgent) urgent.push(...texts);
        else await until('the memories after the backlog are indexed', isOver);
        return plain.embed(texts, options);
      },
    };
    const journal = {
      read: async ({ after, types = [], subject, limit }: Parameters<Projections['journal']['read']>[0]) =>
        later
          .filter(({ position, type }) => position > after && types.includes(type))
          .filter((one) => subject === undefined || one.subject === subject)
          .slice(0, limit),
    };
    const indexer = createVectorIndexer({ embedder, ...projections, ahead: { journal, logger: silentLogger } });
    return { indexer, urgent, embedder };
  }

  const isIndexed = async (number: number): Promise<boolean> =>
    (await projections.vectors.versions([memoryId(number)])).has(memoryId(number));

  it('indexes a memory that was stored alone before the backlog ends', async () => {
    const later = [event(100, BATCH), event(101, BATCH), event(102, 'alone')];
    const { indexer, urgent } = indexing(later, () => isIndexed(102));
    await indexer.project(backlog, signal);
    expect(urgent).to.deep.equal(['text 102']);
    expect([await isIndexed(1), await isIndexed(BACKLOG), await isIndexed(100)]).to.deep.equal([true, true, false]);
    await indexer.project(later, signal);
    expect(urgent, 'text 102 is not embedded again').to.deep.equal(['text 102', 'text 100', 'text 101']);
    expect(await isIndexed(101)).to.equal(true);
  });

  it('keeps no vector of a memory that was deleted meanwhile', async () => {
    const gone = { ...deleted(102, 2), position: 103 };
    const { indexer, embedder } = indexing([event(102, 'alone'), gone], () => isIndexed(102));
    await indexer.project(backlog, signal);
    const ref = embeddingRef(embedder.model, 'text 102');
    await until('the vector is released', async () => !(await projections.cache.get([ref])).has(ref));
    await indexer.project([gone], signal);
    expect(await isIndexed(102)).to.equal(false);
  });
});
