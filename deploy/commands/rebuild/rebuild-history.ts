/**
 * Makes all stores again from a journal that went back, which is the whole history from then on. May be stopped and run
 * again: until the journal has its new identity the journal counts as one that went back, and afterwards the graph as
 * emptied.
 */
import { openGraphReplay } from '../../../command-api/open-graph-replay.js';
import { deleteTopics } from '../../../shared/engines/kafka/delete-topics.js';
import { kafkaConfig } from '../../../shared/engines/kafka/kafka-variables.js';
import { neo4jConfig } from '../../../shared/engines/neo4j/connection/neo4j-variables.js';
import { openNeo4jOnce } from '../../../shared/engines/neo4j/open.js';
import { postgresConfig } from '../../../shared/engines/postgres/connection/postgres-variables.js';
import { openPostgres } from '../../../shared/engines/postgres/open.js';
import { qdrantPorts } from '../../../shared/engines/qdrant/open.js';
import { qdrantConfig } from '../../../shared/engines/qdrant/qdrant-variables.js';
import { openSqlite } from '../../../shared/engines/sqlite/open.js';
import { readComparison } from '../../../shared/integrity/journal-mark/check-mark.js';
import { graphFinding } from '../../../shared/integrity/journal-mark/mark-findings.js';
import { withAnySignal } from '../../../shared/kernel/concurrency/abort-signals.js';
import { readParts } from '../../../shared/kernel/config/read-parts.js';
import { startConfig } from '../../../shared/kernel/config/start-variables.js';
import { RuleError } from '../../../shared/kernel/errors.js';
import type { GraphMark } from '../../../shared/ports/graph-mark.js';
import type { JournalIdentity, RebuildProgress } from '../../../shared/ports/journal-identity.js';
import type { VectorIndexes, VectorSpaces } from '../../../shared/ports/vector-spaces.js';
import { existingDataFile } from '../../embedded/existing-data-file.js';
import type { StoreContext } from '../host.js';

type Options = StoreContext & {
  /** False: says only what was found. */
  readonly acceptsLoss: boolean;
  readonly onProgress: (progress: RebuildProgress) => void;
};
type RebuildHistory = (options: Options) => Promise<void>;

/** Graph and vectors are in the file of the journal and went back with it. The service must be stopped. */
export const rebuildHistoryEmbedded: RebuildHistory = async ({ environment, logger, resources, acceptsLoss }) => {
  const { folder: dataFolder } = existingDataFile(environment);
  const { identity, graphMark } = await openSqlite({ dataFolder, logger, resources });
  await requireAccepted({ journal: identity, store: graphMark }, acceptsLoss);
  await identity.beginHistory();
};

/**
 * The service may run: its processes stop when the journal has its new identity, and their supervisor starts them
 * again. Consumers of the deleted topic read the journal from its first event.
 */
export const rebuildHistoryDistributed: RebuildHistory = async ({
  environment,
  logger,
  resources,
  signal,
  acceptsLoss,
  onProgress,
}) => {
  const config = readParts({
    start: () => startConfig(environment),
    postgres: () => postgresConfig(environment),
    neo4j: () => neo4jConfig(environment),
    qdrant: () => qdrantConfig(environment),
    kafka: () => kafkaConfig(environment),
  });
  const startupRetry = { logger, signal, timeoutMs: config.start.timeoutMs };
  const postgres = await openPostgres({ config: config.postgres, resources, startupRetry });
  const neo4j = await openNeo4jOnce({ config: config.neo4j, logger, resources });
  const { hold, replay } = openGraphReplay(postgres, neo4j);
  const held = await hold();
  if (held === null)
    throw new RuleError('Another process rebuilds this graph already: `GET /health` shows how far it is');
  resources.add(held, (lock) => lock.release());
  return withAnySignal([signal, held.lost], async (ended) => {
    await requireAccepted({ journal: postgres.identity, store: neo4j.graphMark }, acceptsLoss);
    await neo4j.wipe();
    await dropIndexes({ ...postgres, ...qdrantPorts({ config: config.qdrant, logger }) });
    await deleteTopics({ config: config.kafka, logger });
    await postgres.identity.beginHistory();
    await replay({ onProgress, signal: ended });
  });
};

type Stores = {
  readonly journal: JournalIdentity;
  readonly store: Pick<GraphMark, 'read'>;
};

/** Saves what was lost, so that an interrupted run is continued. Throws RuleError when there is nothing to accept. */
async function requireAccepted(stores: Stores, acceptsLoss: boolean): Promise<void> {
  const comparison = await readComparison(stores);
  const finding = graphFinding(comparison);
  if (finding.kind !== 'journal_went_back')
    throw new RuleError(
      `The journal did not go back: ${'problem' in finding ? finding.problem : 'graph and journal belong together'}`,
    );
  if (!acceptsLoss)
    throw new RuleError(`${finding.problem}. Nothing was changed: run the same command with --accept-loss for that`);
  const { lost, journal } = comparison;
  if (lost !== null) await stores.journal.saveLost({ ...lost, journalId: journal.id });
}

async function dropIndexes({
  spaces,
  indexes,
}: {
  readonly spaces: Pick<VectorSpaces, 'list' | 'drop'>;
  readonly indexes: Pick<VectorIndexes, 'drop'>;
}): Promise<void> {
  for (const { number, state } of await spaces.list()) {
    if (state !== 'active') await spaces.drop(number);
    await indexes.drop(number);
  }
}
