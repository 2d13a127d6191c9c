/** The records in SQLite. One process is the whole deployment. */
import { type Clock, formatTimestamp, systemClock } from '../../../kernel/clock.js';
import { PROJECTOR_STATE_RETENTION_MS } from '../../../ports/journal.js';
import type { SpaceFollower } from '../../../ports/vector-spaces.js';
import { createConsolidationRecords } from '../../sql/records/consolidation-records.js';
import { createDeadLetters } from '../../sql/records/dead-letters.js';
import { createEmbeddingCache, createEmbeddingScan, createEmbeddingUses } from '../../sql/records/embedding-cache.js';
import { createJobs } from '../../sql/records/jobs.js';
import { createKeys } from '../../sql/records/keys.js';
import { createProjectorStates, type Heartbeats } from '../../sql/records/projector-states.js';
import type { Call, Dialect, Param, Row, Sql } from '../../sql/records/sql.js';
import { createTenants } from '../../sql/records/tenants.js';
import { createVectorSpaces, type SpaceEngine } from '../../sql/records/vector-spaces.js';
import { createWebhooks } from '../../sql/records/webhooks.js';
import type { SqlRow, SqlValue } from '../threads/database.js';
import { procedure, type SqliteHost } from '../threads/host.js';
import { markUses, putEntries, releaseMemories, removeUses } from './sqlite-embedding-cache.js';

export function sqliteRecords(host: SqliteHost, clock: Clock = systemClock) {
  const sql = createSqliteSql(host, clock);
  const derived = createSqliteSql({ read: host.read, write: host.writeDerived }, clock);
  return {
    deadLetters: createDeadLetters(sql),
    projectorStates: createProjectorStates(sql, HEARTBEATS, derived),
    jobs: createJobs(sql),
    spaces: createVectorSpaces(sql, spaceEngine()),
    cache: createEmbeddingCache(sql, {
      put: (entries, { replace = false } = {}) => host.writeDerived(putEntries, { entries, replace }),
      release: (memoryIds) => host.writeDerived(releaseMemories, memoryIds),
    }),
    embeddings: createEmbeddingScan(sql),
    embeddingUses: createEmbeddingUses(sql, {
      mark: (uses, since) => host.writeDerived(markUses, { uses, since }),
      remove: (uses) => host.writeDerived(removeUses, uses),
    }),
    consolidationRecords: createConsolidationRecords(sql),
    webhooks: createWebhooks(sql),
    keys: createKeys(sql),
    tenants: createTenants(sql),
  };
}

const AT = `state ->> 'heartbeatAt'`;

/** A heartbeat is in the JSON of its state. */
const HEARTBEATS: Heartbeats = {
  save: (state) => [
    [
      'forget_silent',
      `DELETE FROM projector_states WHERE name = $1 AND unixepoch(${AT}, 'subsec') < unixepoch($now, 'subsec') - $2`,
      [state.name, PROJECTOR_STATE_RETENTION_MS / 1_000],
    ],
    [
      'correct_ahead',
      `UPDATE projector_states SET state = json_set(state, '$.heartbeatAt', $now) WHERE name = $1 AND ${AT} > $now`,
      [state.name],
    ],
    [
      'save_heartbeat',
      `INSERT OR REPLACE INTO projector_states (name, instance, state)
       VALUES ($1, $2, json_set($3, '$.heartbeatAt', $now))`,
      [state.name, state.instance, JSON.stringify(state)],
    ],
  ],
  ageMs: `round((unixepoch($now, 'subsec') - unixepoch(${AT}, 'subsec')) * 1000)`,
};

function spaceEngine(): SpaceEngine {
  const followers = new Map<string, SpaceFollower>();
  return {
    firstNumber: 'NULL',
    nextNumber: 'NULL',
    report: async (instance, number) => void followers.set(instance, { instance, number }),
    followers: async () => [...followers.values()],
  };
}

/** `$now` is a parameter that `bound` adds. */
const DIALECT: Dialect = {
  now: '$now',
  ago: (param) => `strftime('%Y-%m-%dT%H:%M:%f', $now, (-${param} / 1000.0) || ' seconds')`,
  isIn: (column, param) => `${column} IN (SELECT value FROM json_each(${param}))`,
  items: (param) => `json_each(${param})`,
  objects: (param, columns) => {
    const values = Object.keys(columns).map((column) => `value ->> '${column}' AS ${column}`);
    return `(SELECT ${values.join(', ')} FROM json_each(${param})) AS item`;
  },
  isTrue: (column) => `${column} = 1`,
  skipLocked: '', // there is one writer
};

/** Runs the statements of the records in SQLite. The statements of one call run in the thread of the database. */
function createSqliteSql(host: Pick<SqliteHost, 'read' | 'write'>, clock: Clock): Sql {
  function bound([, text, params = []]: Call): BoundStatement {
    const values = params.map(valueOf);
    const number = values.length + 1;
    return {
      text: text.replaceAll(/\$(\d+|now)/gu, (_, name) => `?${name === 'now' ? number : name}`),
      values: text.includes('$now') ? [...values, formatTimestamp(clock.now())] : values,
    };
  }
  return {
    dialect: DIALECT,
    read: async <R extends Row>(...call: Call) => rowsOf<R>(await host.read(runStatements, [bound(call)]))[0] ?? [],
    write: async <R extends Row>(...call: Call) => rowsOf<R>(await host.write(runStatements, [bound(call)]))[0] ?? [],
    transaction: async <R extends Row>(calls: readonly Call[]) =>
      rowsOf<R>(await host.write(runStatements, calls.map(bound))),
  };
}

type BoundStatement = { readonly text: string; readonly values: readonly SqlValue[] };

/** The statement decides the type of its rows. */
function rowsOf<R extends Row>(results: readonly SqlRow[][]): readonly (readonly R[])[] {
  return results as unknown as R[][];
}

function valueOf(param: Param): SqlValue {
  if (typeof param === 'boolean') return Number(param);
  return typeof param === 'object' && param !== null ? JSON.stringify(param) : param;
}

export const runStatements = procedure(
  import.meta.url,
  'runStatements',
  (database, statements: readonly BoundStatement[]): SqlRow[][] =>
    statements.map(({ text, values }) => database.all(text, values)),
);
