/**
 * Removes expired keys and fingerprints of requests, in a loop of its own: a backlog is removed at full speed, in short
 * transactions, while the sweeper goes on. A fixed number of rows per minute was not enough: above 17 requests/s with a
 * key the table grew without end.
 */
import { createLoop } from '../../../kernel/concurrency/loop.js';
import type { Logger } from '../../../kernel/logger.js';
import { type Postgres, type Statement, statement } from '../connection/postgres.js';
import { journalMigrations } from '../schema/journal.js';
import { KEY_RETENTION_MS, oldestValid, UNANSWERED_RETENTION_MS } from './earlier-requests.js';

/** Expired rows that one statement removes at most; it takes 10 to 30 ms. */
export const PURGE_LIMIT = 5_000;
const PURGE_EVERY_MS = 60_000;
const FAILED_WAIT_MS = { failedMinimumMs: 1_000, failedMaximumMs: PURGE_EVERY_MS };
const START = new Date(0);

/**
 * Starts at the last time that the batch before removed, so that no batch reads the dead rows of the batches before it
 * again. SKIP LOCKED, because another process may purge the same rows.
 */
const purge = (table: string, retentionMs: number): Statement =>
  statement(
    journalMigrations,
    `purge_expired_${table}`,
    `WITH removed AS (
       DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM ${table} WHERE at >= $1 AND at < ${oldestValid(retentionMs)} ORDER BY at LIMIT ${PURGE_LIMIT} FOR UPDATE SKIP LOCKED
       )) RETURNING at
     ) SELECT count(*) AS count, max(at) AS last FROM removed`,
  );

const PURGES = [purge('command_keys', KEY_RETENTION_MS), purge('unanswered', UNANSWERED_RETENTION_MS)];

export type PurgerDeps = { readonly postgres: Postgres; readonly logger: Logger };

export function createPurger({ postgres, logger }: PurgerDeps): { readonly close: () => Promise<void> } {
  const closing = new AbortController();
  const purges = PURGES.map((remove) => {
    let from = START;
    /** Returns whether more expired rows are probably left. */
    return async (): Promise<boolean> => {
      const {
        rows: [removed],
      } = await postgres.query<{ count: number; last: Date | null }>(remove, [from]);
      const isFull = removed?.count === PURGE_LIMIT;
      from = (isFull && removed.last) || START;
      return isFull;
    };
  });
  const loop = createLoop({
    pace: { idleMinimumMs: PURGE_EVERY_MS, idleMaximumMs: PURGE_EVERY_MS, ...FAILED_WAIT_MS },
    onFailure: (err, waitMs) => logger.warn({ err, waitMs }, 'purge of expired request keys failed'),
    step: async () => {
      let isFull = false;
      for (const purgeBatch of purges) isFull = (await purgeBatch()) || isFull;
      return isFull ? 'full' : 'idle';
    },
  });
  const running = loop.run(closing.signal);

  return {
    close: async () => {
      closing.abort();
      await running;
    },
  };
}
