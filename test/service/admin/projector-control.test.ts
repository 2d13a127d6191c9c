/** The admin routes for background work: progress and pause of projectors, retry and discard of dead letters. */
import { expect } from 'chai';
import { PoisonError } from '../../../shared/kernel/errors.js';
import type { Point } from '../../../shared/ports/vectors.js';
import { until } from '../../support/checks/until.js';
import { type Service, startService } from '../../support/processes/service.js';

const ADMIN = 'admin-token';
const POISON = 0.123;

describe('projector control', () => {
  let service: Service;
  let isPoisonous: boolean;

  before(async () => {
    isPoisonous = true;
    service = await startService({
      enriches: true,
      variables: { ADMIN_API_TOKEN: ADMIN },
      // An index that rejects memories of one importance.
      alter: (engines) => ({
        ...engines,
        vectors: Object.assign(Object.create(engines.vectors) as typeof engines.vectors, {
          upsert: async (points: readonly Point[]) => {
            if (isPoisonous && points.some(({ payload }) => payload.importance === POISON))
              throw new PoisonError('no index can hold it');
            return engines.vectors.upsert(points);
          },
        }),
      }),
    });
  });
  after(() => service.close());

  const admin = (method: string, path: string, body?: unknown) =>
    service.request(method, path, { headers: { 'x-admin-token': ADMIN }, ...(body === undefined ? {} : { body }) });
  const store = async (content: string, importance = 0.5): Promise<string> => {
    const { status, body } = await service.request('POST', '/memory', { body: { content, importance } });
    expect(status).to.equal(201);
    return body.memory_id as string;
  };
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const letters = async (query = ''): Promise<any[]> =>
    (await admin('GET', `/admin/dead-letters${query}`)).body.dead_letters;
  const letterOf = async (id: string) =>
    (await letters('?projector=vector-indexer')).find(({ subject }) => subject === id);
  /**
   * The letter of the enriched version: enrichment works without a vector, and its event replaces the letter of the
   * stored version.
   */
  const lastLetterOf = (id: string) =>
    until('the enriched version has a dead letter', async () => {
      const letter = await letterOf(id);
      return letter?.type === 'memory.enriched' ? letter : undefined;
    });
  const projector = async (name: string) => {
    const { body } = await admin('GET', '/admin/projectors');
    return body.projectors.find((one: { name: string }) => one.name === name);
  };

  it('lists a dead letter while later memories are projected', async () => {
    const [bad, good] = [await store('A memory that no index holds', POISON), await store('A memory after it')];
    await service.settled();
    const letter = await letterOf(bad);
    expect(letter).to.include({
      projector: 'vector-indexer',
      reason: 'no index can hold it',
      attempts: 2,
      awaits_redrive: false,
    });
    expect(letter.type, 'the enriched version: enrichment works without a vector').to.equal('memory.enriched');
    expect(letter.age_seconds).to.be.within(0, 60);
    expect((await service.engines.vectors.versions([bad, good] as never[])).has(good as never)).to.equal(true);
    expect((await service.request('GET', '/health')).body.dead_letters).to.be.at.least(1);
  });

  it('lists dead letters page by page', async () => {
    for (const number of [1, 2, 3]) await store(`Another that no index holds, ${number}`, POISON);
    await service.settled();
    const seen: number[] = [];
    for (let after: number | null = 0; after !== null;) {
      const { body } = await admin('GET', `/admin/dead-letters?limit=2&after=${after}`);
      expect(body.count).to.be.at.most(2);
      expect(body.total).to.be.at.least(4);
      seen.push(...body.dead_letters.map(({ id }: { id: number }) => id));
      after = body.next;
    }
    expect(seen).to.deep.equal([...new Set(seen)].sort((one, other) => one - other));
    expect(seen.length).to.be.at.least(4);
  });

  it('retries a dead letter, and reports a superseded or unknown one', async () => {
    const [again, changed] = [await store('It will be held later', POISON), await store('It will be changed', POISON)];
    const [first, second] = [await lastLetterOf(again), await lastLetterOf(changed)];
    await admin('POST', '/admin/projectors/vector-indexer/pause');
    await until('the projector is paused', async () => (await projector('vector-indexer')).status === 'paused');
    isPoisonous = false; // before the pause, an event that is still in hand would settle a letter
    await service.request('PATCH', `/memory/${changed}`, { body: { importance: 0.9 } });
    const { status, body } = await admin('POST', '/admin/dead-letters/redrive', {
      ids: [first.id, second.id, 999_999],
    });
    expect(status).to.equal(202);
    expect(body).to.deep.equal({
      status: 'queued',
      count: 1,
      ids: [first.id],
      superseded: [second.id],
      unknown: [999_999],
    });
    expect((await letterOf(again)).awaits_redrive, 'nothing is retried while the projector is paused').to.equal(true);
    await admin('POST', '/admin/projectors/vector-indexer/resume');
    await until('the letter is settled', async () => (await letterOf(again)) === undefined);
    await service.settled();
    const versions = await service.engines.vectors.versions([again, changed] as never[]);
    expect([...versions.keys()]).to.have.members([again, changed]);
    isPoisonous = true;
  });

  it('discards dead letters', async () => {
    const letter = await lastLetterOf(await store('Given up', POISON));
    const discard = () => admin('POST', '/admin/dead-letters/discard', { ids: [letter.id] });
    expect((await discard()).body).to.deep.equal({ status: 'discarded', count: 1, ids: [letter.id], unknown: [] });
    expect((await discard()).body).to.deep.equal({ status: 'discarded', count: 0, ids: [], unknown: [letter.id] });
    const all = await admin('POST', '/admin/dead-letters/discard', { projector: 'vector-indexer' });
    expect(all.status).to.equal(200);
    expect(await letters()).to.deep.equal([]);
  });

  it('pauses a projector, shows its lag, and resumes it', async () => {
    expect((await admin('POST', '/admin/projectors/vector-indexer/pause')).body).to.deep.equal({
      status: 'success',
      name: 'vector-indexer',
      paused: true,
    });
    await until('the projector is paused', async () =>
      (await projector('vector-indexer')).instances.every(({ status }: { status: string }) => status !== 'running'),
    );
    const ids = [await store('Waits for its vector'), await store('Waits as well')];
    await until('the lag is reported', async () => (await projector('vector-indexer')).lag_events >= 2);
    await until('the lag grows with time', async () => (await projector('vector-indexer')).lag_seconds > 0.1);
    expect((await projector('vector-indexer')).status).to.equal('paused');
    const health = (await service.request('GET', '/health')).body;
    expect(health.projectors['vector-indexer'].status).to.equal('paused');
    expect(health.status).to.equal('degraded');
    await admin('POST', '/admin/projectors/vector-indexer/resume');
    await until('the projector has caught up', async () => (await projector('vector-indexer')).lag_events === 0);
    expect([...(await service.engines.vectors.versions(ids as never[])).keys()]).to.have.members(ids);
    const caughtUp = await projector('vector-indexer');
    expect(caughtUp).to.include({ status: 'running', lag_seconds: 0 });
    expect(caughtUp.rate_per_second).to.be.greaterThan(0);
  });

  it('rejects an invalid value with the name of its field', async () => {
    const refusals: readonly (readonly [string, string, unknown, number, string])[] = [
      ['POST', '/admin/dead-letters/redrive', {}, 400, 'ids'],
      ['POST', '/admin/dead-letters/redrive', { ids: [1], projector: 'enricher' }, 400, 'ids'],
      ['POST', '/admin/dead-letters/redrive', { ids: [] }, 400, 'ids'],
      ['POST', '/admin/dead-letters/redrive', { ids: ['x'] }, 400, 'ids'],
      [
        'POST',
        '/admin/dead-letters/redrive',
        { ids: Array.from({ length: 501 }, (_, index) => index + 1) },
        400,
        'ids',
      ],
      ['POST', '/admin/dead-letters/discard', { ids: [1.5] }, 400, 'ids'],
      ['POST', '/admin/dead-letters/discard', { projector: '' }, 400, 'projector'],
      ['GET', '/admin/dead-letters?after=x', undefined, 400, 'after'],
    ];
    for (const [method, path, body, status, field] of refusals) {
      const answer = await admin(method, path, body);
      expect(answer.status, `${path} ${JSON.stringify(body)}`).to.equal(status);
      expect(answer.body.message, `${path} ${JSON.stringify(body)}`).to.include(field);
    }
    const unknown = await admin('POST', '/admin/projectors/nobody/pause');
    expect([unknown.status, unknown.body.message]).to.deep.equal([
      404,
      'There is no projector of that name; there are vector-indexer and enricher',
    ]);
    expect((await admin('GET', '/admin/dead-letters?limit=999999&projector=nobody')).body).to.include({
      count: 0,
      total: 0,
      next: null,
    });
    expect((await service.request('GET', '/admin/projectors')).status).to.equal(401);
  });
});
