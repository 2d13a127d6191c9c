/** A second consolidation changes nothing: over generated memories, associations and vectors, in both compositions. */
import { expect } from 'chai';
import { AUTHORABLE_TYPES } from '../../../shared/contract/association.js';
import type { RecordedEvent } from '../../../shared/contract/events.js';
import { MEMORY_TYPES, type MemoryId } from '../../../shared/contract/memory.js';
import { createWordHashEmbedder } from '../../support/adapters/word-hash-embedder.js';
import { until } from '../../support/checks/until.js';
import { type Random, seededRandom } from '../../support/fixtures/random.js';
import { type Service, startService, usesRealEngines } from '../../support/processes/service.js';

const NOW = new Date('2026-06-01T12:00:00Z');
const DIMENSION = 16;
const MEMORIES = 60;
const ASSOCIATIONS = 40;
const LONGEST_DAYS = 500;

describe('a second consolidation', () => {
  let service: Service;
  before(async () => {
    service = await startService({
      embedder: createWordHashEmbedder(DIMENSION),
      clock: { now: () => NOW },
      variables: {
        PROJECTORS: 'vector-indexer,enricher,consolidator',
        CONSOLIDATION_ARCHIVE_THRESHOLD: '0.25',
        CONSOLIDATION_GRACE_PERIOD_DAYS: '30',
      },
    });
  });
  after(() => service.close());

  const daysAgo = (days: number): string => new Date(NOW.getTime() - days * 86_400_000).toISOString();

  /** Near one of a few directions, so that there are clusters. */
  function vector(random: Random): number[] {
    const place = random.below(4);
    return Array.from({ length: DIMENSION }, (_, at) => (at === place ? 1 : 0) + 0.15 * (random.next() - 0.5));
  }

  async function fill(random: Random): Promise<void> {
    const memories = Array.from({ length: MEMORIES }, (_, number) => ({
      content: `Generated note ${number} of ${random.below(1_000_000)}`,
      type: random.pick(MEMORY_TYPES),
      importance: random.next(),
      confidence: random.next(),
      timestamp: daysAgo(random.below(random.pick([30, LONGEST_DAYS]))),
      ...(random.below(4) > 0 && { embedding: vector(random) }),
    }));
    const stored = await service.request('POST', '/memory/batch', { body: { memories } });
    expect(stored.status, JSON.stringify(stored.body)).to.equal(201);
    const ids = stored.body.memory_ids as MemoryId[];
    for (let number = 0; number < ASSOCIATIONS; number++) {
      const [one, other] = [random.pick(ids), random.pick(ids)];
      if (one === other) continue;
      const association = { memory1_id: one, memory2_id: other, type: random.pick(AUTHORABLE_TYPES) };
      expect((await service.request('POST', '/associate', { body: association })).status).to.equal(201);
    }
    await settled();
  }

  /** A late enrichment would add associations, which count for relevance. */
  async function settled(): Promise<void> {
    await service.settled();
    const pending = async () => (await service.request('GET', '/enrichment/status')).body.pending;
    await until('each memory is enriched', async () => (await pending()) === 0);
  }

  async function consolidate() {
    const reply = await service.request('POST', '/consolidate', { body: { dry_run: false } });
    expect(reply.status, JSON.stringify(reply.body)).to.equal(200);
    await settled();
    return reply.body.consolidation.steps;
  }

  // Each takes half a minute over servers.
  for (const seed of usesRealEngines() ? [1] : [1, 2, 3]) {
    it(`changes nothing (seed ${seed})`, async () => {
      await fill(seededRandom(seed));
      const first = await consolidate();
      expect(first.decay.changed, 'the first run has something to do').to.be.above(0);
      expect(first.creative.created).to.be.above(0);
      expect(first.cluster.meta_memories_created).to.be.above(0);
      expect(first.forget.counts.archived).to.be.above(0);
      const settled = await service.engines.journal.head();
      const second = await consolidate();
      const events = await service.engines.journal.read({ after: settled, limit: 10 });
      expect(events.map(toLine)).to.deep.equal([]);
      expect(second.decay.changed).to.equal(0);
      expect(second.creative.created).to.equal(0);
      expect(second.cluster.meta_memories_created).to.equal(0);
      expect(second.forget.counts).to.include({ archived: 0, deleted: 0 });
    });
  }
});

/** Says what an unexpected event changed, and why. */
function toLine({ type, subject, data }: RecordedEvent): string {
  return `${type} ${subject} ${data !== null && 'reason' in data ? data.reason : ''}`;
}
