/** Opens the committer, and its background work: comparison, rebuild of a lost graph, end of deletions. */
import type { Neo4jPorts } from '../shared/engines/neo4j/open.js';
import type { CommitGraph } from '../shared/engines/postgres/commit/graph-guard.js';
import { createWitness } from '../shared/engines/postgres/commit/witness.js';
import type { PostgresPorts } from '../shared/engines/postgres/open.js';
import type { StartContext } from '../shared/http/run-service.js';
import { beginMark, createTrackMark } from '../shared/integrity/journal-mark/check-mark.js';
import { watchMark } from '../shared/integrity/journal-mark/watch-mark.js';
import { startGraphRebuilder } from '../shared/integrity/replay/graph-rebuilder.js';
import { retryStartup } from '../shared/kernel/concurrency/startup-retry.js';
import type { Failpoints } from '../shared/ports/committer.js';
import { createGuardedCommitter } from './guarded-committer.js';
import { openGraphReplay } from './open-graph-replay.js';
import type { CommandProcessConfig } from './process-config.js';
import { startCleaning } from './start-cleaning.js';
import { createTenantCommitter } from './tenant-committer.js';

export async function openCommitter({
  postgres,
  neo4j,
  tenant,
  config,
  logger,
  metrics,
  resources,
  startupRetry,
  ...testing
}: {
  readonly postgres: PostgresPorts;
  readonly neo4j: Neo4jPorts;
  /** Null: the default one. */
  readonly tenant: { readonly name: string } | null;
  readonly config: CommandProcessConfig['commit'];
  readonly failpoints?: Failpoints;
} & Pick<StartContext<CommandProcessConfig>, 'logger' | 'metrics' | 'resources' | 'startupRetry'>) {
  const { graph, graphWriter, graphMark } = neo4j;
  const marks = { journal: postgres.identity, graph: graphMark };
  await retryStartup('the mark of the graph', () => beginMark(marks), startupRetry);
  const witness = createWitness();
  const checkMark = createTrackMark({ ...marks, memory: graphWriter.markMemory, witness });
  const watch = resources.add(await watchMark({ checkMark, logger }), (opened) => opened.close());
  const commitGraph: CommitGraph = {
    ping: graph.ping,
    apply: async (events, limits) => {
      watch.requireSameJournal();
      await graphWriter.apply(events, limits);
    },
  };
  const committer = resources.add(
    postgres.createCommitter({ graph: commitGraph, witness, logger, metrics, config, ...testing }),
    (opened) => opened.close(),
  );
  const cleaning = { graph: () => graphWriter.clearHub(), journal: postgres.eraseRest };
  resources.add(startCleaning({ ...cleaning, logger }), (started) => started.close());
  let comparedAfter = postgres.lostConnections();
  /** After a lost connection the next one may lead to a standby that was promoted, and that lacks events. */
  async function requireSameJournal(): Promise<void> {
    const lost = postgres.lostConnections();
    if (lost === comparedAfter) return watch.requireSameJournal();
    await watch.requireSameJournalNow();
    comparedAfter = lost;
  }
  const { hold, replay } = openGraphReplay(postgres, neo4j);
  const { rebuildPausePercent: pausePercent } = config;
  if (config.rebuildsGraph) {
    const rebuilder = startGraphRebuilder({
      finding: watch.finding,
      hold,
      replay: (signal) => replay({ signal, onlyIfBehind: true, pausePercent }),
      logger,
    });
    resources.add(rebuilder, (started) => started.close());
  }
  return {
    committer: createTenantCommitter(createGuardedCommitter(committer, requireSameJournal), tenant?.name ?? null),
    graphState: watch,
    graphReplay: { hold, replay: (options: Parameters<typeof replay>[0]) => replay({ ...options, pausePercent }) },
  };
}
