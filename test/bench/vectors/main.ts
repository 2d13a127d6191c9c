/**
 * `npm run bench:vectors`: measures a rebuild of the vector index from the embedding cache, and recalls before and
 * meanwhile. The enricher is paused. `--memories 0` measures a running service (`--url`, `--admin-token`) that is
 * filled.
 */
import { fill, knownRecalls } from '../corpus/fill.js';
import { pauseEnricher, runJob } from '../measuring/background.js';
import { runBench } from '../measuring/run-bench.js';
import { timeCalls, timeDuring, timingRow } from '../measuring/timing.js';

const CALLS_BEFORE = 1_000;

type RebuildJob = {
  readonly id: string;
  readonly error: string | null;
  readonly finished_at: string | null;
  readonly progress: { readonly filled?: number; readonly memories?: number; readonly parity?: unknown };
};

await runBench({
  defaults: { memories: '20000', clients: '2' },
  measure: async (target, options, random) => {
    const clients = Number(options.clients);
    await pauseEnricher(target);
    await fill(target, random, { size: Number(options.memories), encoded: 0 });
    const recall = await knownRecalls(target, random);
    const before = timingRow('recall before', await timeCalls(CALLS_BEFORE, clients, recall));
    const startedAt = performance.now();
    let filledMs = Number.NaN;
    const rebuild = () =>
      runJob<RebuildJob>(
        target,
        { path: '/admin/projections/vectors/rebuild', body: {} },
        ({ progress: { filled = 0, memories } }) => {
          if (Number.isNaN(filledMs) && filled > 0 && filled === memories) filledMs = performance.now() - startedAt;
        },
      );
    const { result, seconds, timing } = await timeDuring(rebuild, clients, recall);
    const { filled = 0, parity } = result.progress;
    return [
      before,
      timingRow('recall during the rebuild', timing),
      { what: 'vectors from the cache', figure: `${Math.round((filled / filledMs) * 1_000)}/s` },
      { what: 'whole job', figure: `${seconds.toFixed(1)} s, parity ${JSON.stringify(parity)}` },
    ];
  },
});
