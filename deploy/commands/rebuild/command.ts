/**
 * `palimpsest rebuild graph` brings a graph to the state of the journal; `rebuild history` makes all stores again from
 * a journal that went back. Both may be stopped and run again.
 */
import { Argument } from 'commander';
import type { RebuildProgress } from '../../../shared/ports/journal-identity.js';
import { type Define, examples, type Host, withStores } from '../host.js';
import { rebuildDistributed, rebuildEmbedded } from './rebuild-graph.js';
import { rebuildHistoryDistributed, rebuildHistoryEmbedded } from './rebuild-history.js';

/** At most one line about the progress in this time. */
const REPORT_INTERVAL_MS = 1_000;

export const define: Define = (command, host) =>
  command
    .description(
      'graph: apply the state of the journal to the graph. Memories that the graph has already are not changed; a data file is then written again without its unused space. history: after the journal went back, make all stores again from its present events. Without --distributed it is the data file in PALIMPSEST_DATA_DIR: stop the service first.',
    )
    .addArgument(new Argument('<projection>', 'what is rebuilt').choices(['graph', 'history']))
    .option('--distributed', 'the servers of POSTGRES_*, NEO4J_*, QDRANT_* and KAFKA_*; the service may run')
    .option(
      '--accept-loss',
      'with history: the writes that the journal lacks are lost; graph, vectors and topics are deleted',
    )
    .addHelpText('after', examples('rebuild graph', 'rebuild graph --distributed', 'rebuild history --accept-loss'))
    .action(async (projection: 'graph' | 'history', { distributed = false, acceptLoss = false }: Options) => {
      if (acceptLoss && projection === 'graph')
        command.error("error: option '--accept-loss' is for the projection 'history'");
      const { report, summary } = createProgressReport(host);
      const advice = 'run the same command again to continue';
      if (projection === 'graph') {
        const rebuild = distributed ? rebuildDistributed : rebuildEmbedded;
        const { progress } = await withStores(host, (context) => rebuild({ ...context, onProgress: report }), advice);
        return host.print(`The graph has the state of the journal: ${summary(progress)}`);
      }
      const rebuild = distributed ? rebuildHistoryDistributed : rebuildHistoryEmbedded;
      await withStores(host, (context) => rebuild({ ...context, acceptsLoss: acceptLoss, onProgress: report }), advice);
      host.print('The present events of the journal are its history: commands are accepted again');
    });

type Options = { readonly distributed?: boolean; readonly acceptLoss?: boolean };

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
