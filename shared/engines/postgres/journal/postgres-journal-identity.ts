/** The identity of the journal in Postgres. */
import { COMMIT_LETTERS } from '../../../contract/projector-names.js';
import {
  type JournalIdentity,
  REBUILD_HEARTBEAT_TIMEOUT_MS,
  type RebuildProgress,
} from '../../../ports/journal-identity.js';
import { type Postgres, statement } from '../connection/postgres.js';
import { journalMigrations } from '../schema/journal.js';

/**
 * `applied` is an event before the first one that the graph may lack: a pending event, or a dead letter of the commit.
 */
const STATE = statement(
  journalMigrations,
  'journal_state',
  `SELECT id::text AS id, has_marked_graph, graph_behind_from, lost_position, lost_event_id::text AS lost_event_id,
     CASE WHEN rebuild_at > clock_timestamp() - interval '${REBUILD_HEARTBEAT_TIMEOUT_MS} milliseconds' THEN rebuild_progress END AS rebuild,
     coalesce((SELECT max(position) FROM journal), 0) AS head,
     coalesce((SELECT position FROM journal WHERE position < least(
       coalesce((SELECT min(position) FROM outbox_pending), 9223372036854775807),
       coalesce((SELECT min(position) FROM dead_letters WHERE projector = '${COMMIT_LETTERS}'), 9223372036854775807)
     ) ORDER BY position DESC LIMIT 1), 0) AS applied
   FROM journal_identity`,
);
const ID = statement(journalMigrations, 'journal_id', 'SELECT id::text AS id FROM journal_identity');
const EVENT_IDS_AT = statement(
  journalMigrations,
  'event_ids_at',
  'SELECT position, event_id::text AS event_id FROM journal WHERE position = ANY ($1)',
);
const SAVE_LOST = statement(
  journalMigrations,
  'save_lost',
  `UPDATE journal_identity SET lost_position = $1, lost_event_id = $2
   WHERE lost_position IS NULL AND id = coalesce($3::uuid, id)`,
);
const BEGIN_HISTORY = statement(
  journalMigrations,
  'begin_history',
  `UPDATE journal_identity
   SET id = gen_random_uuid(), lost_position = NULL, lost_event_id = NULL, has_marked_graph = true, graph_behind_from = NULL`,
);
const SAVE_GRAPH_MARKED = statement(
  journalMigrations,
  'save_graph_marked',
  'UPDATE journal_identity SET has_marked_graph = true WHERE NOT has_marked_graph',
);
const SAVE_GRAPH_BEHIND = statement(
  journalMigrations,
  'save_graph_behind',
  'UPDATE journal_identity SET graph_behind_from = least(graph_behind_from, $1)',
);
const SAVE_GRAPH_CAUGHT_UP = statement(
  journalMigrations,
  'save_graph_caught_up',
  'UPDATE journal_identity SET graph_behind_from = NULL WHERE graph_behind_from = $1',
);
const SAVE_REBUILD = statement(
  journalMigrations,
  'save_rebuild',
  'UPDATE journal_identity SET rebuild_progress = $1, rebuild_at = clock_timestamp()',
);

type StateRow = {
  readonly id: string;
  readonly has_marked_graph: boolean;
  readonly graph_behind_from: number | null;
  readonly lost_position: number | null;
  readonly lost_event_id: string | null;
  readonly rebuild: string | null;
  readonly head: number;
  readonly applied: number;
};

export function createPostgresJournalIdentity({
  postgres,
}: {
  readonly postgres: Pick<Postgres, 'query'>;
}): JournalIdentity {
  return {
    state: async () => {
      const {
        rows: [row],
      } = await postgres.query<StateRow>(STATE);
      if (!row) throw new Error('The journal has no identity: run palimpsest migrate');
      return {
        id: row.id,
        head: row.head,
        applied: row.applied,
        hasMarkedGraph: row.has_marked_graph,
        behindFrom: row.graph_behind_from,
        lost:
          row.lost_position === null || row.lost_event_id === null
            ? null
            : { position: row.lost_position, eventId: row.lost_event_id },
        // `saveRebuild` wrote it.
        rebuild: row.rebuild === null ? null : (JSON.parse(row.rebuild) as RebuildProgress),
      };
    },
    id: async () => String((await postgres.query<{ id: string }>(ID)).rows[0]?.id),
    eventIdsAt: async (positions) => {
      const { rows } = await postgres.query<{ position: number; event_id: string }>(EVENT_IDS_AT, [positions]);
      return new Map(rows.map((row) => [row.position, row.event_id]));
    },
    saveLost: async ({ position, eventId, journalId }) =>
      void (await postgres.query(SAVE_LOST, [position, eventId, journalId])),
    beginHistory: async () => void (await postgres.query(BEGIN_HISTORY)),
    saveGraphMarked: async () => void (await postgres.query(SAVE_GRAPH_MARKED)),
    saveGraphBehind: async (from) => void (await postgres.query(SAVE_GRAPH_BEHIND, [from])),
    saveGraphCaughtUp: async (from) => void (await postgres.query(SAVE_GRAPH_CAUGHT_UP, [from])),
    saveRebuild: async (progress) =>
      void (await postgres.query(SAVE_REBUILD, [progress === null ? null : JSON.stringify(progress)])),
  };
}
