/** Drift between graph and vector index: planted, reported and repaired, by request and on the schedule. */
import { expect } from 'chai';
import type { MemoryId } from '../../../shared/contract/memory.js';
import type { Point } from '../../../shared/ports/vectors.js';
import { until } from '../../support/checks/until.js';
import { memoryId } from '../../support/fixtures/memories.js';
import { point } from '../../support/fixtures/points.js';
import { type Service, startService } from '../../support/processes/service.js';

const ADMIN = 'admin-token';
const AS_ADMIN = { headers: { 'X-Admin-Token': ADMIN } };

/** A point of an older version cannot be planted, because no write goes back: the unit tests have it. */
const CONTENTS = ['missing point', 'point of another model', 'point with other tags', 'right point'];
const ORPHAN = memoryId(77);

async function plant(service: Service): Promise<readonly MemoryId[]> {
  const { body } = await service.request('POST', '/memory/batch', {
    body: { memories: CONTENTS.map((content) => ({ content, tags: ['drift'] })) },
  });
  await service.settled();
  const ids = body.memory_ids as MemoryId[];
  const [missing, otherModel, otherTags] = ids;
  const { vectors } = service.engines;
  const known = new Map((await vectors.points(ids)).map((one) => [one.id, one]));
  const vector = new Float32Array(vectors.dimension).fill(1);
  const wrong = (id: MemoryId | undefined, changes: Partial<Point>): Point => {
    const right = known.get(id ?? ORPHAN);
    if (right === undefined) throw new Error(`memory ${id} has no point`);
    return { ...right, vector, ...changes };
  };
  await vectors.remove([wrong(missing, {})]);
  const changed = wrong(otherTags, {});
  await vectors.upsert([
    wrong(otherModel, { model: 'another-model' }),
    { ...changed, payload: { ...changed.payload, tags: ['other'] } },
    { ...point(77), vector },
  ]);
  return ids;
}

describe('POST /admin/sync', () => {
  let service: Service;
  let ids: readonly MemoryId[];
  const sync = (body: object = {}) => service.request('POST', '/admin/sync', { ...AS_ADMIN, body });

  before(async () => {
    service = await startService({ variables: { ADMIN_API_TOKEN: ADMIN } });
    ids = await plant(service);
  });
  after(() => service.close());

  it('refuses a missing admin token with 401, a wrong dry_run with 400', async () => {
    expect((await service.request('POST', '/admin/sync', { body: {} })).status).to.equal(401);
    expect((await sync({ dry_run: 'yes' })).status).to.equal(400);
  });

  it('reports missing, orphaned and stale points in a dry run only', async () => {
    for (const _time of [1, 2]) {
      const { status, body } = await sync({ dry_run: true });
      expect(status).to.equal(200);
      expect(body).to.include({ status: 'dry_run', neo4j_count: 4, falkordb_count: 4, qdrant_count: 4 });
      expect(body.missing_sample).to.deep.equal([ids[0]]);
      expect(body.orphaned_sample).to.deep.equal([ORPHAN]);
      expect([...body.stale_sample].sort()).to.deep.equal([ids[1], ids[2]].sort());
      expect([body.missing_count, body.orphaned_count, body.stale_count]).to.deep.equal([1, 1, 2]);
    }
  });

  it('answers 409 while another comparison runs', async () => {
    const answers = await Promise.all([sync({ dry_run: true }), sync({ dry_run: true })]);
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409]);
  });

  it('repairs all three kinds, and then finds nothing', async () => {
    const { status, body } = await sync({ batch_size: 1 });
    expect(status).to.equal(200);
    expect(body).to.include({ status: 'complete', neo4j_count: 4, qdrant_count: 4, synced: 3, failed: 0, removed: 1 });
    expect(body).to.include({ orphaned_count: 1, stale_count: 2 });
    const points = await service.engines.vectors.points([...ids, ORPHAN]);
    expect(points.map(({ id }) => id).sort()).to.deep.equal([...ids].sort());
    expect(new Set(points.map(({ model }) => model)).size).to.equal(1);
    expect(new Set(points.flatMap(({ payload }) => payload.tags))).to.deep.equal(new Set(['drift']));
    expect((await sync()).body).to.deep.equal({
      status: 'already_synced',
      neo4j_count: 4,
      falkordb_count: 4,
      qdrant_count: 4,
      synced: 0,
      orphaned_count: 0,
      stale_count: 0,
    });
  });
});

describe('POST /admin/sync while the vector indexer is paused', () => {
  it('lists what it could not repair', async () => {
    const service = await startService({ variables: { ADMIN_API_TOKEN: ADMIN, JOB_WAIT_MS: '500' } });
    try {
      const [missing] = await plant(service);
      await service.request('POST', '/admin/projectors/vector-indexer/pause', AS_ADMIN);
      const { body } = await service.request('POST', '/admin/sync', { ...AS_ADMIN, body: {} });
      expect(body).to.include({ status: 'complete', synced: 0, failed: 4, removed: 0 });
      expect(body.failed_ids).to.include(missing);
    } finally {
      await service.close();
    }
  });
});

describe('drift repairer', () => {
  it('repairs on its schedule and shows its result in /health', async () => {
    const service = await startService({
      variables: { PROJECTORS: 'vector-indexer,drift-repairer', DRIFT_CHECK_MINUTES: '0.03' },
    });
    try {
      const ids = await plant(service);
      await until('the points are repaired', async () => {
        const points = await service.engines.vectors.points([...ids, ORPHAN]);
        return points.length === ids.length && points.every(({ payload }) => payload.tags[0] === 'drift');
      });
      const drift = await until('the result is reported', async () => {
        const { body } = await service.request('GET', '/health');
        return body.drift;
      });
      expect(Object.keys(drift)).to.deep.equal(['checked_at', 'missing', 'orphaned', 'stale', 'repaired']);
    } finally {
      await service.close();
    }
  });
});
