import { expect } from 'chai';
import { findDrift } from '../../../../shared/integrity/drift/find-drift.js';
import { pointPayload } from '../../../../shared/ports/point-payload.js';
import { openProjections, type Projections } from '../../../support/adapters/projections.js';
import { memoryId } from '../../../support/fixtures/memories.js';
import { point } from '../../../support/fixtures/points.js';
import { stored } from '../../../support/fixtures/projector-events.js';

const EXPECTED = { model: 'test', excludedTypes: [] };
const NUMBERS = Array.from({ length: 2_300 }, (_, index) => index + 1);

describe('findDrift', () => {
  let projections: Projections;
  beforeEach(async () => {
    projections = await openProjections({ dimension: 3 });
  });
  afterEach(() => projections.close());

  async function remember(numbers: readonly number[]): Promise<void> {
    await projections.append(numbers.map((number) => stored(number)));
    const events = await projections.journal.read({ after: 0, limit: 10_000 });
    await projections.graphWriter.apply(events);
  }
  async function index(numbers: readonly number[]): Promise<void> {
    const memories = await projections.graph.memories(numbers.slice(0, 1).map(memoryId));
    const payload = memories[0] && pointPayload(memories[0].memory);
    await projections.vectors.upsert(numbers.map((number) => point(number, payload && { payload })));
  }

  it('finds each difference over several pages of both stores', async () => {
    await remember(NUMBERS);
    await index([...NUMBERS.filter((number) => ![1, 1_000, 2_300].includes(number)), 9_001]);
    const { memories, points, differences } = await findDrift(projections, { ...EXPECTED, secondCheckMs: 0 });
    expect([memories, points]).to.deep.equal([2_300, 2_298]);
    expect(differences.map(({ id, kind }) => [id, kind])).to.deep.equal([
      [memoryId(1), 'missing'],
      [memoryId(1_000), 'missing'],
      [memoryId(2_300), 'missing'],
      [memoryId(9_001), 'orphaned'],
    ]);
  });

  it('drops a difference that the second check does not find', async () => {
    await remember([1, 2]);
    const vectors = {
      scan: projections.vectors.scan,
      points: async (ids: Parameters<typeof projections.vectors.points>[0]) => {
        await index([2]);
        return projections.vectors.points(ids);
      },
    };
    const { differences } = await findDrift({ ...projections, vectors }, { ...EXPECTED, secondCheckMs: 0 });
    expect(differences.map(({ id }) => id)).to.deep.equal([memoryId(1)]);
  });

  it('keeps the first differences up to its limit, and counts the others', async () => {
    await remember([1, 2, 3]);
    await index([9_001, 9_002]);
    const found = await findDrift(projections, { ...EXPECTED, secondCheckMs: 0, limit: 2 });
    expect(found.differences.map(({ id }) => id)).to.deep.equal([1, 2].map(memoryId));
    expect(found.counts).to.deep.equal({ missing: 3, orphaned: 2, stale: 0 });
    expect(found.isCut).to.equal(true);
  });

  it('reports no cut when the limit is exactly enough', async () => {
    await remember([1, 2]);
    const found = await findDrift(projections, { ...EXPECTED, secondCheckMs: 0, limit: 2 });
    expect([found.differences.length, found.isCut]).to.deep.equal([2, false]);
  });
});
