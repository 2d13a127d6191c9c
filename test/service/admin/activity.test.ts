/** GET /activity: the last hour of recalls, stores and changes, and the lag of projectors. */
import { expect } from 'chai';
import type { Engines } from '../../../deploy/embedded/engines.js';
import type { JournalReader } from '../../../shared/ports/journal.js';
import { until } from '../../support/checks/until.js';
import { type Service, startService } from '../../support/processes/service.js';

const TOKENS = { SERVICE_API_TOKEN: 'secret', ADMIN_API_TOKEN: 'admin secret' };
const API = { authorization: 'Bearer secret' };
const ADMIN = { ...API, 'x-admin-token': 'admin secret' };
const STEPS = 360;

describe('GET /activity', () => {
  let service: Service;
  const startedAt = Date.now();
  /** What the service counted. */
  const counted: { readonly after: number; readonly events: number }[] = [];
  before(async () => {
    const alter = (engines: Engines): Engines => ({
      ...engines,
      journal: {
        ...engines.journal,
        countSteps: async (request) => {
          const found = await engines.journal.countSteps(request);
          const events = found.counts.reduce((total, each) => total + each.events, 0);
          counted.push({ after: request.after, events });
          return found;
        },
      },
    });
    service = await startService({ variables: TOKENS, enriches: true, alter });
  });
  after(() => service.close());

  const request = (method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = ADMIN) =>
    service.request(method, path, { headers, ...(body !== undefined && { body }) });
  const activity = async () => {
    const { status, body } = await request('GET', '/activity');
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };
  const sum = (values: readonly (number | null)[]): number =>
    values.reduce<number>((total, value) => total + (value ?? 0), 0);

  it('counts recalls with their times, stores, changes and work in the background', async () => {
    const id = (await request('POST', '/memory', { content: 'Anna likes green tea.', tags: ['tea'] })).body.memory_id;
    await service.settled();
    expect((await request('PATCH', `/memory/${id}`, { importance: 0.9 })).status).to.equal(200);
    await service.settled();
    const before = await activity();
    for (const path of ['/recall?query=tea', '/recall?tags=tea', '/recall?tags=nothing-has-this-tag'])
      expect((await request('GET', path)).status).to.equal(200);
    expect((await request('GET', '/recall?state_mode=wrong')).status, 'a recall that is refused').to.equal(400);

    const { steps, total, ...body } = await activity();
    expect(total).to.include({ recalls: before.total.recalls + 3, found_nothing: before.total.found_nothing + 1 });
    expect(total).to.include({ stores: 1, changes: 1 });
    expect(total.background).to.be.above(0);
    expect(total.p50_ms).to.be.within(0.1, total.p95_ms);
    for (const name of ['recalls', 'found_nothing', 'stores', 'changes', 'background']) {
      expect(steps[name], name).to.have.length(STEPS);
      expect(sum(steps[name]), name).to.equal(total[name]);
    }
    expect(steps.recalls[0], 'before the start').to.equal(null);
    expect(steps.stores[0], 'the journal is older').to.equal(0);
    const withTimes = steps.p95_ms.map((ms: number | null) => ms !== null);
    expect(withTimes).to.deep.equal(steps.recalls.map((recalls: number | null) => (recalls ?? 0) > 0));
    expect(body.step_seconds).to.equal(10);
    expect(Date.parse(body.since)).to.be.within(startedAt, Date.now());
    const ended = Date.parse(body.from) + STEPS * 10_000;
    expect(ended).to.be.within(startedAt, Date.now() + 10_000);
    expect(ended % 10_000).to.equal(0);
    expect(JSON.stringify({ steps, total, ...body }).length).to.be.below(20_000);
  });

  it('counts only the events since the answer before', async () => {
    await service.settled();
    const { total: before } = await activity();
    const contents = ['Anna drinks green tea at nine.', 'Ben grows roses.', 'The train leaves at noon.'];
    for (const content of contents) await request('POST', '/memory', { content });
    await service.settled();
    counted.length = 0;
    const answers = await Promise.all([activity(), activity(), activity()]);
    for (const { total, steps } of answers) {
      expect(total.stores).to.equal(before.stores + contents.length);
      for (const name of ['stores', 'changes', 'background']) expect(sum(steps[name]), name).to.equal(total[name]);
    }
    const head = await service.engines.journal.head();
    const [first, ...later] = counted;
    expect(first?.after).to.be.within(1, head - contents.length);
    expect(first?.events).to.be.within(contents.length, head - (first?.after ?? 0));
    expect(later.length).to.be.above(0);
    for (const each of later) expect(each).to.deep.equal({ after: head, events: 0 });
  });

  it('shows the lag of each projector as /admin/projectors does', async () => {
    const names = ({ projectors }: { projectors: readonly { name: string; status: string }[] }) =>
      projectors.map(({ name, status }) => `${name} ${status}`);
    const { body } = await request('GET', '/admin/projectors');
    expect(names(await activity())).to.deep.equal(names(body));
    expect((await request('POST', '/admin/projectors/enricher/pause')).status).to.equal(200);
    await request('POST', '/memory', { content: 'A memory that waits.' });
    type Lags = readonly { name: string; status: string; lag_events: number }[];
    const enricher = async () => ((await activity()).projectors as Lags).find(({ name }) => name === 'enricher');
    await until('the enricher is behind', async () => {
      const found = await enricher();
      return found?.status === 'paused' && found.lag_events > 0;
    });
    await request('POST', '/admin/projectors/enricher/resume');
    await service.settled();
  });

  it('warns about parameters, and refuses other methods', async () => {
    const { status, body } = await request('GET', '/activity?minutes=x');
    expect([status, body.warnings?.length]).to.deep.equal([200, 1]);
    expect((await request('POST', '/activity', {})).status).to.equal(405);
  });

  it('needs the admin token, or a key with admin:jobs', async () => {
    expect((await request('GET', '/activity', undefined, API)).status).to.equal(401);
    for (const [scope, status] of [
      ['admin:jobs', 200],
      ['graph:read', 403],
    ] as const) {
      const made = await request('POST', '/admin/keys', { name: `key-${status}`, scopes: [scope] });
      const headers = { authorization: `Bearer ${made.body.secret}` };
      expect((await request('GET', '/activity', undefined, headers)).status, scope).to.equal(status);
    }
  });
});

describe('GET /activity of a busy service', () => {
  it('knows nothing of the steps before the counted events', async () => {
    const countSteps: JournalReader['countSteps'] = ({ stepMs, limit }) => {
      const now = Math.floor(Date.now() / stepMs);
      const counts = [
        { step: now, type: 'memory.stored', events: 1 },
        { step: now - 2, type: 'memory.updated', events: limit - 1 },
      ] as const;
      return Promise.resolve({ head: 2 * limit, now, counts });
    };
    const alter = (engines: Engines): Engines => ({ ...engines, journal: { ...engines.journal, countSteps } });
    const service = await startService({ variables: TOKENS, alter });
    try {
      const { steps, total } = (await service.request('GET', '/activity', { headers: ADMIN })).body;
      expect(steps.stores.slice(-3)).to.deep.equal([null, 0, 1]);
      expect(steps.changes.slice(-3)).to.deep.equal([null, 0, 0]);
      expect(total).to.include({ stores: 1, changes: 0 });
    } finally {
      await service.close();
    }
  });
});
