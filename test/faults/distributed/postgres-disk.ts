/** The disk of Postgres is slow, full, or loses its power. The service continues without a restart of our processes. */
import { expect } from 'chai';
import { until } from '../../support/checks/until.js';
import { seededRandom } from '../../support/fixtures/random.js';
import { expectAlerts } from '../../support/observability/expect-alerts.js';
import { processesOf, recordFigures } from '../../support/observability/figure-record.js';
import type { FaultyPostgres } from '../../support/servers/faulty-postgres.js';
import { type FaultSetup, survivesFault } from './fault-checks.js';
import { expectPipelineWorks, probe } from './pipeline-checks.js';

export type DiskSetup = FaultSetup & { readonly postgres: FaultyPostgres };

const SLOW_SYNC_MS = 300;
const SEED = Number(process.env['PALIMPSEST_KILL_SEED'] ?? 20_240_607);
/** Large enough that a few stores need more pages than the tables have. */
const LARGE_TEXT = 'many words '.repeat(150);

export function postgresDisk(stage: () => DiskSetup): void {
  it(`loses no command while each sync takes ${SLOW_SYNC_MS} ms longer`, async function () {
    this.timeout(240_000);
    const { postgres } = stage();
    const counts = await survivesFault(stage(), async () => {
      await postgres.disk.become({ syncMs: SLOW_SYNC_MS });
      await expectPipelineWorks(stage());
      await postgres.disk.become({});
    });
    expect(counts.unavailable + counts.broken, 'commands that a client had to repeat').to.equal(0);
  });

  const figures = recordFigures(() => processesOf(stage().fleet));
  it('refuses commands with 503 while it is full, and loses none', async function () {
    this.timeout(240_000);
    const { fleet, postgres } = stage();
    await survivesFault(stage(), async () => {
      await figures.before();
      await postgres.disk.become({ isFull: true });
      const refused = await until('a store is refused', async () => {
        const body = { content: LARGE_TEXT, tags: ['full'], type: 'Context' };
        const answer = await fleet.request('POST', '/memory', { body });
        return answer.status !== 201 && answer;
      });
      expect(refused).to.deep.include({ status: 503 });
      expect(refused.body.message).to.match(/disk of Postgres is full/u);
      expect(await probe(fleet, '/recall?query=ledger+entry&limit=5')).to.equal(200);
      await figures.duringGrowth('status="503"');
      await postgres.disk.become({});
      await postgres.start();
      await expectPipelineWorks(stage());
    });
  });

  it('fires the alert of refused writes while it is full', async function () {
    await expectAlerts(this, figures, ['PalimpsestWritesRefused']);
  });

  it('loses no acknowledged command with the power of Postgres', async function () {
    this.timeout(240_000);
    const random = seededRandom(SEED);
    for (const keptShare of [0, 0.5]) {
      await survivesFault(stage(), async () => {
        const lost = await stage().postgres.losePower({ keptShare, random });
        process.stdout.write(`        ${lost} unsynced sectors lost\n`);
        expect(lost).to.be.greaterThan(0);
        await expectPipelineWorks(stage());
      });
    }
  });
}
