/** A decay run next to other writers: a memory that changes after it was examined gets its relevance in that run. */
import { expect } from 'chai';
import { createWordHashEmbedder } from '../../support/adapters/word-hash-embedder.js';
import { type Service, startService } from '../../support/processes/service.js';

const OLD = '2025-01-01T00:00:00+00:00';
const NOW = new Date('2026-06-01T12:00:00Z');

describe('decay next to other writers', () => {
  let service: Service;
  afterEach(() => service.close());

  it('writes the relevance of a memory that changed meanwhile', async () => {
    let onExamined: (() => Promise<unknown>) | null = null;
    service = await startService({
      embedder: createWordHashEmbedder(16),
      clock: { now: () => NOW },
      variables: { PROJECTORS: 'vector-indexer,consolidator' },
      alter: (engines) => ({
        ...engines,
        graphScan: {
          ...engines.graphScan,
          memories: async (request) => {
            const page = await engines.graphScan.memories(request);
            const act = onExamined;
            onExamined = null;
            await act?.();
            return page;
          },
        },
      }),
    });
    const stored = await service.request('POST', '/memory', {
      body: { content: 'An old note', timestamp: OLD, last_accessed: OLD },
    });
    const id = stored.body.memory_id as string;
    onExamined = () => service.request('PATCH', `/memory/${id}`, { body: { tags: ['changed meanwhile'] } });
    const { body } = await service.request('POST', '/consolidate', { body: { mode: 'decay', dry_run: false } });
    expect(onExamined, 'the memory changed during the run').to.equal(null);
    expect(body.consolidation.steps.decay).to.include({ processed: 1, changed: 1 });
    const { memory } = (await service.request('GET', `/memory/${id}`)).body;
    expect(memory.tags).to.deep.equal(['changed meanwhile']);
    expect(memory.relevance_score).to.be.below(0.3);
  });
});
