/** A Qdrant that accepts connections and does not answer. */
import { expect } from 'chai';
import { until } from '../../support/checks/until.js';
import { expectAlerts } from '../../support/observability/expect-alerts.js';
import { processesOf, recordFigures } from '../../support/observability/figure-record.js';
import { pauseServer, resumeServer } from '../../support/servers/local-servers.js';
import { type FaultSetup, survivesFault } from './fault-checks.js';
import { expectPipelineWorks } from './pipeline-checks.js';

/** The slowest recall while Qdrant hangs: its timeout, and the graph on a busy machine. */
const RECALL_LIMIT_MS = 10_000;

export function hangingQdrant(stage: () => FaultSetup): void {
  const figures = recordFigures(() => processesOf(stage().fleet));

  it('delays vectors, but no store and no recall', async () => {
    const { fleet } = stage();
    await survivesFault(stage(), async () => {
      await figures.before();
      await pauseServer('qdrant');
      try {
        const stored = await fleet.request('POST', '/memory', {
          body: { content: 'Stored while Qdrant hangs', tags: ['hanging'], type: 'Context' },
        });
        expect(stored.status).to.equal(201);
        const begin = performance.now();
        const { status, body } = await fleet.request('GET', '/recall?query=qdrant+hangs&tags=hanging');
        expect(performance.now() - begin, 'ms of a recall').to.be.below(RECALL_LIMIT_MS);
        expect(status).to.equal(200);
        expect(body.results.map(({ id }: { readonly id: string }) => id)).to.deep.equal([stored.body.memory_id]);
        await until('health reports the disconnected index', async () => {
          const health = await fleet.request('GET', '/health');
          return health.body.qdrant === 'disconnected' && health.body.status === 'degraded';
        });
        await figures.duringGrowth('operation="recall"');
      } finally {
        await resumeServer('qdrant');
      }
      await expectPipelineWorks(stage());
    });
  });

  it('fires the alerts of the indexer and of slow recalls', async function () {
    const indexer = '{projector="vector-indexer"}';
    await expectAlerts(this, figures, [
      `PalimpsestProjectorFrozen${indexer}`,
      `PalimpsestProjectorLags${indexer}`,
      'PalimpsestRecallSlow',
    ]);
  });
}
