/** The records in SQLite. One process is the whole deployment. */
import { type Clock, systemClock } from '../../../kernel/clock.js';
import { PROJECTOR_STATE_RETENTION_MS } from '../../../ports/journal.js';
import type { SpaceFollower } from '../../../ports/vector-spaces.js';
import { createConsolidationRecords } from '../../sql/records/consolidation-records.js';
import { createDeadLetters } from '../../sql/records/dead-letters.js';
import { createEmbeddingCache, createEmbeddingScan } from '../../sql/records/embedding-cache.js';
import { createJobs } from '../../sql/records/jobs.js';
import { createProjectorStates, type Heartbeats } from '../../sql/records/projector-states.js';
import { createVectorSpaces, type SpaceEngine } from '../../sql/records/vector-spaces.js';
import type { SqliteHost } from '../threads/host.js';
import { putEntries, releaseMemories } from './sqlite-embedding-cache.js';
import { createSqliteSql } from './sqlite-sql.js';

export function sqliteRecords(host: SqliteHost, clock: Clock = systemClock) {
  const sql = createSqliteSql(host, clock);
  return {
    deadLetters: createDeadLetters(sql),
    projectorStates: createProjectorStates(sql, HEARTBEATS),
    jobs: createJobs(sql),
    spaces: createVectorSpaces(sql, spaceEngine()),
    cache: createEmbeddingCache(sql, {
      put: (entries, { replace = false } = {}) => host.write(putEntries, { entries, replace }),
      release: (memoryIds) => host.write(releaseMemories, memoryIds),
    }),
    embeddings: createEmbeddingScan(sql),
    consolidationRecords: createConsolidationRecords(sql),
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
