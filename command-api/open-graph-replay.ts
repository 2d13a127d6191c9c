/** Puts the replay of the journal in Postgres into the graph in Neo4j together. */
import { eraseRest } from '../shared/commit/outbox/erasing/erase-rest.js';
import type { GraphWriter } from '../shared/graph/graph.js';
import type { Neo4j } from '../shared/graph/neo4j/neo4j.js';
import { createNeo4jGraphMark } from '../shared/graph/neo4j/neo4j-graph-mark.js';
import { ensureNeo4jSchema } from '../shared/graph/neo4j/schema/schema.js';
import { createPostgresJournal } from '../shared/journal/postgres/postgres-journal.js';
import { createPostgresJournalIdentity } from '../shared/journal/postgres/postgres-journal-identity.js';
import { createPostgresOutboxReader } from '../shared/journal/postgres/postgres-outbox-reader.js';
import type { GraphRebuilderDeps } from '../shared/journal/replay/graph-rebuilder.js';
import { type GraphReplay, replayGraph, type ReplayResult } from '../shared/journal/replay/replay-graph.js';
import { rested } from '../shared/kernel/concurrency/rested.js';
import { createPostgresMaintenanceLock } from '../shared/maintenance/postgres/postgres-maintenance-lock.js';
import type { Postgres } from '../shared/postgres/postgres.js';

export type OpenGraphReplay = Pick<GraphRebuilderDeps, 'hold'> & {
  readonly replay: (options: ReplayOptions) => Promise<ReplayResult>;
};

export type ReplayOptions = Pick<GraphReplay, 'signal' | 'onProgress' | 'onlyIfBehind'> & {
  /** The rest after each batch, in percent of the time of the batch, so that callers have the graph meanwhile. Absent: none. */
  readonly restPercent?: number;
};

export function openGraphReplay({
  postgres,
  neo4j,
  graphWriter,
}: {
  readonly postgres: Postgres;
  readonly neo4j: Neo4j;
  readonly graphWriter: Pick<GraphWriter, 'apply'>;
}): OpenGraphReplay {
  const lock = createPostgresMaintenanceLock({ postgres });
  const { unapplied } = createPostgresOutboxReader({ postgres });
  return {
    hold: () => lock.take('rebuild-graph'),
    replay: ({ restPercent = 0, ...options }) =>
      replayGraph({
        ...options,
        journal: createPostgresJournal({ postgres }),
        identity: createPostgresJournalIdentity({ postgres }),
        unapplied,
        graph: {
          ...createNeo4jGraphMark({ neo4j }),
          apply: (events) => rested({ restPercent, signal: options.signal }, () => graphWriter.apply(events)),
          prepare: () => ensureNeo4jSchema(neo4j),
        },
        eraseRest: () => eraseRest(postgres),
      }),
  };
}
