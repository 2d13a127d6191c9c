/**
 * The figures that Prometheus reads of the distributed service, while processes are killed: what alerts fire on is
 * there.
 */
import { expect } from 'chai';
import { until } from '../../support/checks/until.js';
import { type Scrape, scrape } from '../../support/clients/scrape.js';
import { expectAlerts } from '../../support/observability/expect-alerts.js';
import { processesOf, recordFigures } from '../../support/observability/figure-record.js';
import { type Fleet, startFleet } from '../../support/processes/fleet.js';
import { openTestDeployment } from '../../support/processes/test-deployment.js';
import { FLEET_VARIABLES, WITHOUT_ENRICHER } from './fleet-variables.js';

const INDEXER = 'projector="vector-indexer"';
/** Above the time after which an instance without heartbeats counts as stopped. */
const NOTICED_MS = 60_000;
const ADMIN_TOKEN = 'admin secret';

describe('distributed figures', function () {
  this.timeout(180_000);
  let fleet: Fleet;
  let remove: () => Promise<void>;
  const killed = recordFigures(() => processesOf(fleet));
  const unreported = recordFigures(() => processesOf(fleet));

  before(async () => {
    const opened = await openTestDeployment();
    remove = opened.remove;
    fleet = await startFleet(opened.deployment, {
      variables: { ...FLEET_VARIABLES, ...WITHOUT_ENRICHER, ADMIN_API_TOKEN: ADMIN_TOKEN },
    });
    await fleet.add('relay');
  });
  after(async () => {
    await fleet?.close();
    await remove?.();
  });

  /** The relays whose scrape has the figures of the service. */
  async function reporters() {
    const scrapes = await Promise.all(
      fleet.members('relay').map(async (member) => ({ member, read: await scrape(member.metricsPort) })),
    );
    return scrapes.flatMap(({ read, member }) =>
      read?.value('palimpsest_journal_up') === 1 ? [{ member, read }] : [],
    );
  }

  /** Waits until one relay reports what `isReached` asks for. */
  function reported(what: string, isReached: (read: Scrape) => boolean): Promise<unknown> {
    return until(what, async () => (await reporters()).some(({ read }) => isReached(read)), NOTICED_MS);
  }

  const storeOne = () => fleet.request('POST', '/memory', { body: { content: 'The harbour master counts ships' } });

  it('come from the relay that leads, and after its death from the other one', async () => {
    await until('a relay leads', async () => (await reporters()).length > 0);
    const [leader, ...others] = await reporters();
    expect(others).to.deep.equal([]);
    expect(await leader?.member.stop('SIGKILL')).to.equal('SIGKILL');
    await until('the other relay leads', async () => (await reporters()).length === 1, NOTICED_MS);
    const [next] = await reporters();
    expect(next?.member.port).to.not.equal(leader?.member.port);
  });

  it('show each projector at the head when nothing waits', async () => {
    expect((await storeOne()).status).to.equal(201);
    await fleet.settled();
    await reported('no lag', ({ value }) => value('palimpsest_projector_lag_events', INDEXER) === 0);
    await reported('an empty outbox', ({ value }) => value('palimpsest_outbox_events', 'state="applied"') === 0);
  });

  it('of GET /activity are recalls of one process, and stores of all', async () => {
    const shown = async (path: string) => {
      const { status, body } = await fleet.request('GET', path, { headers: { 'x-admin-token': ADMIN_TOKEN } });
      expect(status, JSON.stringify(body)).to.equal(200);
      return body;
    };
    const before = await shown('/activity');
    expect((await storeOne()).status).to.equal(201);
    await shown('/recall?tags=nothing-has-this-tag');
    const { total, instance, since, projectors } = await shown('/activity');
    expect(total).to.include({
      recalls: before.total.recalls + 1,
      found_nothing: before.total.found_nothing + 1,
      stores: before.total.stores + 1,
    });
    expect({ instance, since }).to.deep.equal({ instance: before.instance, since: before.since });
    expect(instance).to.equal((await shown('/stream/status')).instance);
    expect(projectors.map(({ name }: { name: string }) => name)).to.include('vector-indexer');
    expect((await shown('/overview')).memories).to.be.above(0);
  });

  it('show what waits for a killed projector', async () => {
    await killed.before();
    await Promise.all(fleet.members('projectors').map((member) => member.stop('SIGKILL')));
    expect((await storeOne()).status).to.equal(201);
    await reported(
      'a stopped projector with a lag',
      ({ value }) =>
        value('palimpsest_projector_up', INDEXER) === 0 && (value('palimpsest_projector_lag_events', INDEXER) ?? 0) > 0,
    );
    for (let count = 0; count < 2; count += 1) await killed.during();
    await fleet.add('projectors');
    await reported(
      'a running projector without a lag',
      ({ value }) =>
        value('palimpsest_projector_up', INDEXER) === 1 && value('palimpsest_projector_lag_events', INDEXER) === 0,
    );
  });

  it('fire the alert of a projector without an instance', async function () {
    await expectAlerts(this, killed, [`PalimpsestProjectorDown{${INDEXER}}`]);
  });

  it('are absent while no relay runs', async () => {
    await unreported.before();
    const [last] = await reporters();
    expect(await last?.member.stop('SIGKILL')).to.equal('SIGKILL');
    expect(await reporters()).to.deep.equal([]);
    expect((await storeOne()).status).to.equal(201);
    for (let count = 0; count < 2; count += 1) await unreported.during();
    await fleet.add('relay');
    await reported('an empty outbox', ({ value }) => value('palimpsest_outbox_events', 'state="applied"') === 0);
    await fleet.settled();
  });

  it('fire the alert of a service without figures', async function () {
    await expectAlerts(this, unreported, ['PalimpsestNoFigures']);
  });
});
