/**
 * Finds what an earlier identical request committed: by its Idempotency-Key, or by its fingerprint.
 *
 * A fingerprint matches only a command that has no answer and gets none; otherwise the request is a new one with equal
 * content, perhaps of another client at the same moment. A command gets no answer when
 * - its own process abandoned it (that process knows immediately, the others see `owner = NULL`), or
 * - its rows were still pending at the end of their lease: by then its client is gone, even if another process rolls
 *   them forward, or
 * - its process has ended or is stuck (`owner_is_gone`).
 * A live process whose rows are applied, or within their lease, will still answer.
 */
import type { CommandKey } from '../../../ports/committer.js';
import { type Queryable, statement } from '../connection/postgres.js';
import { journalMigrations } from '../schema/journal.js';
import type { PositionRange } from './check-group.js';

export const KEY_RETENTION_MS = 24 * 60 * 60 * 1_000;
export const UNANSWERED_RETENTION_MS = 60 * 1_000;

/**
 * The time in SQL before which a row has expired. Only the clock of Postgres counts: all processes write, compare and
 * purge the same rows, and a process with a wrong clock would remove keys that are still valid, or repeat a command.
 * `now()`, because an index is not searched with the volatile `clock_timestamp()`: a purge without expired rows would
 * read every key.
 */
export const oldestValid = (retentionMs: number): string => `now() - interval '${retentionMs} milliseconds'`;

/** How long the Postgres session of a killed process may outlive the process. */
const SESSION_END_MS = 50;

const FIND_KEY = statement(
  journalMigrations,
  'find_valid_key',
  `SELECT request_hash, first_position AS first, last_position AS last FROM command_keys WHERE key = $1 AND at >= ${oldestValid(KEY_RETENTION_MS)}`,
);

const FIND_UNANSWERED = statement(
  journalMigrations,
  'find_valid_unanswered',
  `SELECT command_id, owner, first_position AS first, last_position AS last, EXISTS (
     SELECT FROM outbox_pending WHERE position BETWEEN first_position AND last_position AND lease_until < clock_timestamp()
   ) AS is_overdue
   FROM unanswered WHERE fingerprint = $1 AND at >= ${oldestValid(UNANSWERED_RETENTION_MS)} ORDER BY first_position DESC`,
);

const IS_GONE = statement(journalMigrations, 'owner_is_gone', `SELECT owner_is_gone($1, ${SESSION_END_MS}) AS gone`);

export type EarlierRequest = {
  readonly key: CommandKey | null;
  readonly fingerprint: string | null;
  /** This process. It will still answer its commands, except the abandoned ones. */
  readonly owner: string;
  readonly isAbandoned: (commandId: string) => boolean;
};

export type FoundRequest =
  { readonly kind: 'repeated'; readonly range: PositionRange } | { readonly kind: 'key_reused' };

export async function findEarlier(postgres: Queryable, request: EarlierRequest): Promise<FoundRequest | null> {
  const byKey = request.key && (await findByKey(postgres, request.key));
  return byKey ?? (request.fingerprint === null ? null : findUnanswered(postgres, request, request.fingerprint));
}

async function findByKey(postgres: Queryable, { key, requestHash }: CommandKey): Promise<FoundRequest | null> {
  const {
    rows: [row],
  } = await postgres.query<PositionRange & { request_hash: string }>(FIND_KEY, [key]);
  if (!row) return null;
  return row.request_hash === requestHash
    ? { kind: 'repeated', range: { first: row.first, last: row.last } }
    : { kind: 'key_reused' };
}

type UnansweredRow = PositionRange & {
  readonly command_id: string;
  readonly owner: string | null;
  readonly is_overdue: boolean;
};

async function findUnanswered(
  postgres: Queryable,
  request: EarlierRequest,
  fingerprint: string,
): Promise<FoundRequest | null> {
  const { rows } = await postgres.query<UnansweredRow>(FIND_UNANSWERED, [fingerprint]);
  const owners = new Map<string, boolean>();
  for (const row of rows) {
    if (await hasNoAnswerComing(row)) return { kind: 'repeated', range: { first: row.first, last: row.last } };
  }
  return null;

  async function hasNoAnswerComing({
    command_id: commandId,
    owner,
    is_overdue: isOverdue,
  }: UnansweredRow): Promise<boolean> {
    if (owner === null || isOverdue) return true;
    if (owner === request.owner) return request.isAbandoned(commandId);
    const isGone = owners.get(owner) ?? (await ownerIsGone(postgres, owner));
    owners.set(owner, isGone);
    return isGone;
  }
}

async function ownerIsGone(postgres: Queryable, owner: string): Promise<boolean> {
  const {
    rows: [row],
  } = await postgres.query<{ gone: boolean }>(IS_GONE, [owner]);
  return row?.gone === true;
}
