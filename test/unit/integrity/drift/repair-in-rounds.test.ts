import { expect } from 'chai';
import type { Activity } from '../../../../shared/contract/events.js';
import type { MemoryId } from '../../../../shared/contract/memory.js';
import { repairInRounds } from '../../../../shared/integrity/drift/repair-in-rounds.js';
import { systemClock } from '../../../../shared/kernel/clock.js';
import { pointPayload } from '../../../../shared/ports/point-payload.js';
import { openProjections, type Projections } from '../../../support/adapters/projections.js';
import { memoryId } from '../../../support/fixtures/memories.js';
import { point } from '../../../support/fixtures/points.js';
import { stored } from '../../../support/fixtures/projector-events.js';

const NUMBERS = [1, 2, 3, 4, 5];
const OPTIONS = {
  expected: { model: 'test', excludedTypes: [] },
  batchSize: 10,
  waitMs: 60_000,
  stallMs: 300,
  secondCheckMs: 0,
  limit: 2,
};

describe('repairInRounds', () => {
  let projections: Projections;
  let requests: (readonly string[])[];

  beforeEach(async () => {
    requests = [];
    projections = await openProjections({ dimension: 3 });
    await projections.append(NUMBERS.map((number) => stored(number)));
    await projections.graphWriter.apply(await projections.journal.read({ after: 0, limit: 10 }));
  });
  afterEach(() => projections.close());

  /** Repairs all memories, as the vector indexer does, but those that `canIndex` refuses. */
  function repair(canIndex: (id: string) => boolean) {
    const index = async (ids: readonly string[]): Promise<void> => {
      const loaded = await projections.graph.memories(ids.filter(canIndex) as MemoryId[]);
      const points = loaded.map(({ memory }) => ({ ...point(0), id: memory.id, payload: pointPayload(memory) }));
      await projections.vectors.upsert(points);
    };
    const publisher = {
      notify: (activity: Activity) => {
        if (activity.kind !== 'reindex') return;
        requests.push(activity.ids);
        void index(activity.ids);
      },
    };
    return repairInRounds({ ...projections, publisher, clock: systemClock }, OPTIONS);
  }

  it('repairs more differences than one comparison keeps', async () => {
    const { drift, repaired, failed } = await repair(() => true);
    expect([drift.counts.missing, drift.differences.length]).to.deep.equal([5, 2]);
    expect([repaired.missing, failed]).to.deep.equal([5, 0]);
    expect(requests.map((ids) => ids.length)).to.deep.equal([2, 2, 1]);
  });

  it('goes on after a memory that cannot be indexed', async () => {
    const { repaired, failed, failedFirst } = await repair((id) => id !== memoryId(1));
    expect([repaired.missing, failed]).to.deep.equal([4, 1]);
    expect(failedFirst.map(({ id }) => id)).to.deep.equal([memoryId(1)]);
  });

  it('ends when a round repairs nothing, and counts what is left', async () => {
    const { repaired, failed } = await repair(() => false);
    expect([repaired.missing, failed, requests.length]).to.deep.equal([0, 5, 1]);
  });
});
