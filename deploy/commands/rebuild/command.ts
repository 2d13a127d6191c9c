/** `palimpsest rebuild graph`: brings a graph to the state of the journal. It may be stopped and run again. */
import { Argument } from 'commander';
import type { RebuildProgress } from '../../../shared/ports/journal-identity.js';
import { type Define, examples, type Host, withStores } from '../host.js';
import { rebuildDistributed, rebuildEmbedded } from './rebuild-graph.js';

/** At most one line about the progress in this time. */
const REPORT_INTERVAL_MS = 1_000;

export const define: Define = (command, host) =>
  command
    .description(
      'Apply the state of the journal to the graph. Memories that the graph has already are not changed. Without --distributed it is the data file in PALIMPSEST_DATA_DIR: stop the service first.',
    )
    .addArgument(new Argument('<projection>', 'what is rebuilt').choices(['graph']))
    .option('--distributed', 'Neo4j (NEO4J_*) from the journal in Postgres (POSTGRES_*); the service may run')
    .addHelpText('after', examples('rebuild graph', 'rebuild graph --distributed'))
    .action(async (_projection: string, { distributed }: { readonly distributed?: boolean }) => {
      const rebuild = distributed ? rebuildDistributed : rebuildEmbedded;
      const { report, summary } = createProgressReport(host);
      const { progress } = await withStores(
        host,
        (context) => rebuild({ ...context, onProgress: report }),
        'run the same command again to continue',
      );
      host.print(`The graph has the state of the journal: ${summary(progress)}`);
    });

function createProgressReport({ print }: Host) {
  const startedAt = performance.now();
  let printedAt = startedAt;
  const seconds = (): number => (performance.now() - startedAt) / 1_000;
  const rate = (events: number): string => whole(events / Math.max(seconds(), 0.001));
  return {
    report: ({ events, subjects, totalSubjects }: RebuildProgress): void => {
      if (performance.now() - printedAt < REPORT_INTERVAL_MS) return;
      printedAt = performance.now();
      print(`${whole(subjects)} of ${whole(totalSubjects)} subjects, ${rate(events)} events/s`);
    },
    summary: ({ events, subjects }: RebuildProgress): string =>
      `${whole(events)} events of ${whole(subjects)} subjects applied in ${seconds().toFixed(1)} s (${rate(events)} events/s)`,
  };
}

function whole(number: number): string {
  return Math.round(number).toLocaleString('en-US');
}
