/** `npm run rebuild -- graph`: brings a graph to the state of the journal. It may be stopped and run again. */
import type { RebuildProgress } from '../../../shared/ports/journal-identity.js';
import { runCommand, UsageError, withStores } from '../run-command.js';
import { rebuildDistributed, rebuildEmbedded } from './rebuild-graph.js';

/** At most one line about the progress in this time. */
const REPORT_INTERVAL_MS = 1_000;

process.exitCode = await runCommand({
  usage: `Usage: npm run rebuild -- graph [--distributed]

Applies the state of the journal to the graph. Memories that the graph has already are not changed.

  graph          the data file in PALIMPSEST_DATA_DIR; stop the service first
  --distributed  Neo4j (NEO4J_*) from the journal in Postgres (POSTGRES_*); the service may run`,
  argument: 'projection',
  flags: { distributed: { type: 'boolean', default: false } },
  run: async ({ distributed }, projection) => {
    if (projection !== 'graph') throw new UsageError();
    const rebuild = distributed ? rebuildDistributed : rebuildEmbedded;
    const { report, summary } = createProgressReport();
    const { progress } = await withStores(
      process.env,
      (context) => rebuild({ ...context, onProgress: report }),
      'run the same command again to continue',
    );
    console.log(`The graph has the state of the journal: ${summary(progress)}`);
    return 0;
  },
});

function createProgressReport() {
  const startedAt = performance.now();
  let printedAt = startedAt;
  const seconds = (): number => (performance.now() - startedAt) / 1_000;
  const rate = (events: number): string => whole(events / Math.max(seconds(), 0.001));
  return {
    report: ({ events, subjects, totalSubjects }: RebuildProgress): void => {
      if (performance.now() - printedAt < REPORT_INTERVAL_MS) return;
      printedAt = performance.now();
      console.log(`${whole(subjects)} of ${whole(totalSubjects)} subjects, ${rate(events)} events/s`);
    },
    summary: ({ events, subjects }: RebuildProgress): string =>
      `${whole(events)} events of ${whole(subjects)} subjects applied in ${seconds().toFixed(1)} s (${rate(events)} events/s)`,
  };
}

function whole(number: number): string {
  return Math.round(number).toLocaleString('en-US');
}
