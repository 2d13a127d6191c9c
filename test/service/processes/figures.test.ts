/** The figures of the whole service that one process reports to Prometheus, in both compositions. */
import { expect } from 'chai';
import { createPrometheusMetrics } from '../../../shared/kernel/metrics/prometheus-metrics.js';
import { until } from '../../support/checks/until.js';
import { parseScrape } from '../../support/clients/scrape.js';
import { expectAlerts } from '../../support/observability/expect-alerts.js';
import { recordFigures } from '../../support/observability/figure-record.js';
import { type Service, startService, usesRealEngines } from '../../support/processes/service.js';
import { store } from '../memories/memory-fixtures.js';

const AS_ADMIN = { headers: { 'X-Admin-Token': 'admin-token' } };
const INDEXER = 'projector="vector-indexer"';

describe('figures of the service', () => {
  const metrics = createPrometheusMetrics({ service: 'test', version: '1' });
  let service: Service;
  before(async () => {
    service = await startService({
      metrics,
      variables: { ADMIN_API_TOKEN: 'admin-token', PROJECTOR_STATE_SAVE_MS: '100' },
    });
  });
  after(() => service.close());

  const processes = () => [{ instance: 'test', read: () => metrics.text() }];
  const [paused, buried] = [recordFigures(processes), recordFigures(processes)];
  const figure = async (name: string, labels?: string) => parseScrape(await metrics.text()).value(name, labels);

  it('show each projector at the head when nothing waits', async () => {
    await store(service, { content: 'The lighthouse keeper writes a log' });
    await service.settled();
    const head = await figure('palimpsest_journal_head_position');
    expect(head).to.be.above(0);
    await until('the saved position', async () => (await figure('palimpsest_projector_position', INDEXER)) === head);
    expect(await figure('palimpsest_projector_lag_events', INDEXER)).to.equal(0);
    expect(await figure('palimpsest_projector_up', INDEXER)).to.equal(1);
    expect(await figure('palimpsest_dead_letters', INDEXER)).to.equal(0);
    expect(await figure('palimpsest_journal_up')).to.equal(1);
  });

  it('count commits and the commands that share one', async () => {
    const commits = (await figure('palimpsest_commit_duration_seconds_count')) ?? 0;
    await store(service, { content: 'The tide table hangs on the door' });
    expect(await figure('palimpsest_commit_duration_seconds_count')).to.equal(commits + 1);
    expect(await figure('palimpsest_commit_group_commands_sum')).to.equal(commits + 1);
  });

  it('show size and age of the journal, and deleted subjects', async () => {
    const deleted = (await figure('palimpsest_deleted_subjects')) ?? 0;
    const id = await store(service, { content: 'The spare lamp is in the boat shed' });
    await service.request('DELETE', `/memory/${id}`);
    expect(await figure('palimpsest_journal_bytes')).to.be.above(100_000);
    expect(await figure('palimpsest_journal_oldest_seconds')).to.be.within(0, 600);
    if (!usesRealEngines()) expect(await figure('palimpsest_deleted_subjects')).to.be.above(deleted);
  });

  it('count vectors of queries by their source', async () => {
    const counted = (source: string) => figure('palimpsest_query_vectors_total', `source="${source}"`);
    for (let time = 0; time < 3; time += 1) await service.request('GET', '/recall?query=who%20writes%20a%20log');
    expect([await counted('embedder'), await counted('cache')]).to.deep.equal([1, 2]);
    expect(await figure('palimpsest_encoder_waiting_texts', 'purpose="query"')).to.equal(0);
  });

  it('show a paused projector and how far it falls behind', async () => {
    await paused.before();
    await service.request('POST', '/admin/projectors/vector-indexer/pause', { ...AS_ADMIN, body: {} });
    await until('the pause', async () => (await figure('palimpsest_projector_paused', INDEXER)) === 1);
    await store(service, { content: 'The lamp went out at noon' });
    await until('a lag', async () => ((await figure('palimpsest_projector_lag_events', INDEXER)) ?? 0) > 0);
    await until('an age', async () => ((await figure('palimpsest_projector_lag_seconds', INDEXER)) ?? 0) > 0);
    for (let count = 0; count < 2; count += 1) await paused.during();
    await service.request('POST', '/admin/projectors/vector-indexer/resume', { ...AS_ADMIN, body: {} });
    await service.settled();
    await until('no lag', async () => (await figure('palimpsest_projector_lag_events', INDEXER)) === 0);
    expect(await figure('palimpsest_projector_paused', INDEXER)).to.equal(0);
  });

  it('fire the alerts of a projector that stays paused', async function () {
    await expectAlerts(this, paused, ['PalimpsestProjectorPaused', 'PalimpsestProjectorLags']);
  });

  it('count the dead letters of a projector', async () => {
    await buried.before();
    const [event] = await service.engines.journal.read({ after: 0, limit: 1 });
    if (event === undefined) throw new Error('the journal is empty');
    const { id: eventId, subject, type, version, position } = event;
    const letter = { eventId, subject, type, version, position, reason: 'no vector', attempts: 3 };
    await service.engines.deadLetters.add({ ...letter, projector: 'vector-indexer', at: new Date().toISOString() });
    expect(await figure('palimpsest_dead_letters', INDEXER)).to.equal(1);
    expect(await figure('palimpsest_dead_letters', 'projector="enricher"')).to.equal(0);
    for (let count = 0; count < 2; count += 1) await buried.during();
  });

  it('fire the alert of dead letters', async function () {
    await expectAlerts(this, buried, ['PalimpsestDeadLetters{projector="vector-indexer"}']);
  });
});
