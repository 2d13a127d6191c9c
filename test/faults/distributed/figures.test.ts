/** The figures that Prometheus reads of the distributed service, while processes are killed: what alerts fire on is there. */
import { expect } from 'chai';
import { until } from '../../support/checks/until.js';
import { type Scrape, scrape } from '../../support/clients/scrape.js';
import { type Fleet, type Member, startFleet } from '../../support/processes/fleet.js';
import { freePort } from '../../support/processes/free-port.js';
import { openTestDeployment } from '../../support/processes/test-deployment.js';
import { FLEET_VARIABLES, WITHOUT_ENRICHER } from './fleet-variables.js';

const INDEXER = 'projector="vector-indexer"';
/** Above the time after which an instance without heartbeats counts as stopped. */
const NOTICED_MS = 60_000;

describe('distributed figures', function () {
  this.timeout(180_000);
  let fleet: Fleet;
  let remove: () => Promise<void>;
  const relays: { readonly member: Member; readonly port: number }[] = [];

  before(async () => {
    const opened = await openTestDeployment();
    remove = opened.remove;
    fleet = await startFleet(opened.deployment, { variables: { ...FLEET_VARIABLES, ...WITHOUT_ENRICHER } });
    await Promise.all(fleet.members('relay').map((member) => member.stop('SIGTERM')));
    for (const port of [await freePort(), await freePort()])
      relays.push({ port, member: await fleet.add('relay', { variables: { METRICS_PORT: String(port) } }) });
  });
  after(async () => {
    await fleet?.close();
    await remove?.();
  });

  /** The relays whose scrape has the figures of the service. */
  async function reporters() {
    const scrapes = await Promise.all(relays.map(async (relay) => ({ ...relay, read: await scrape(relay.port) })));
    return scrapes.flatMap(({ read, ...relay }) =>
      read?.value('palimpsest_journal_up') === 1 ? [{ ...relay, read }] : [],
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
    expect(next?.port).to.not.equal(leader?.port);
  });

  it('show each projector at the head when nothing waits', async () => {
    expect((await storeOne()).status).to.equal(201);
    await fleet.settled();
    await reported('no lag', ({ value }) => value('palimpsest_projector_lag_events', INDEXER) === 0);
    await reported('an empty outbox', ({ value }) => value('palimpsest_outbox_events', 'state="applied"') === 0);
  });

  it('show what waits for a killed projector (PalimpsestProjectorDown)', async () => {
    await Promise.all(fleet.members('projectors').map((member) => member.stop('SIGKILL')));
    expect((await storeOne()).status).to.equal(201);
    await reported(
      'a stopped projector with a lag',
      ({ value }) =>
        value('palimpsest_projector_up', INDEXER) === 0 && (value('palimpsest_projector_lag_events', INDEXER) ?? 0) > 0,
    );
    await fleet.add('projectors');
    await reported(
      'a running projector without a lag',
      ({ value }) =>
        value('palimpsest_projector_up', INDEXER) === 1 && value('palimpsest_projector_lag_events', INDEXER) === 0,
    );
  });

  it('are absent while no relay runs (PalimpsestNoFigures)', async () => {
    const [last] = await reporters();
    expect(await last?.member.stop('SIGKILL')).to.equal('SIGKILL');
    expect(await reporters()).to.deep.equal([]);
    expect((await storeOne()).status).to.equal(201);
    const port = await freePort();
    relays.push({ port, member: await fleet.add('relay', { variables: { METRICS_PORT: String(port) } }) });
    await reported('an empty outbox', ({ value }) => value('palimpsest_outbox_events', 'state="applied"') === 0);
    await fleet.settled();
  });
});
