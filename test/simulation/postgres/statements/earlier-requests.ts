/** The statements that find, forget and purge earlier requests. */
import {
  KEY_RETENTION_MS,
  UNANSWERED_RETENTION_MS,
} from '../../../../shared/engines/postgres/commit/earlier-requests.js';
import { NO_ROWS, rows, type SimulatedStatement, type SimulatedStatements, sortedBy } from '../statement.js';

export const isValidKey =
  (now: number) =>
  ({ at }: { readonly at: number }): boolean =>
    at >= now - KEY_RETENTION_MS;

/** The advisory lock that shows that the owner is alive. */
export const ownerLock = (owner: string): string => `alive ${owner}`;

const findUnanswered: SimulatedStatement = ({ view, params: [fingerprint], now }) => {
  const found = view
    .all('unanswered')
    .filter((row) => row.fingerprint === fingerprint && row.at >= now - UNANSWERED_RETENTION_MS);
  return rows(
    sortedBy(found, ({ first_position }) => -first_position).map((row) => ({
      command_id: row.command_id,
      owner: row.owner,
      first: row.first_position,
      last: row.last_position,
      is_overdue: view
        .all('outbox_pending')
        .some(
          ({ position, lease_until: until }) =>
            position >= row.first_position && position <= row.last_position && until < now,
        ),
    })),
  );
};

const purge =
  (table: 'command_keys' | 'unanswered', retentionMs: number): SimulatedStatement =>
  ({ view, now }) => {
    const expired = view.all(table).filter(({ at }) => at < now - retentionMs);
    for (const row of expired) view.remove(table, 'key' in row ? row.key : row.command_id);
    const last = Math.max(...expired.map(({ at }) => at));
    return rows([{ count: expired.length, last: expired.length === 0 ? null : new Date(last) }]);
  };

export const EARLIER_REQUESTS: SimulatedStatements = {
  'journal.find_valid_key': ({ view, params: [key], now }) => {
    const row = view.get('command_keys', String(key));
    return row && isValidKey(now)(row)
      ? rows([{ request_hash: row.request_hash, first: row.first_position, last: row.last_position }])
      : NO_ROWS;
  },
  'journal.find_valid_unanswered': findUnanswered,
  'journal.owner_is_gone': ({ params: [owner], isUnlocked }) => rows([{ gone: isUnlocked(ownerLock(String(owner))) }]),
  'journal.forget_answered': ({ view, params: [ids] }) => {
    for (const id of ids as readonly string[]) view.remove('unanswered', id);
    return NO_ROWS;
  },
  'journal.abandon': ({ view, params: [ids], now }) => {
    const commands = new Set(ids as readonly string[]);
    for (const row of view.all('outbox_pending'))
      if (commands.has(row.command_id)) view.put('outbox_pending', row.position, { ...row, lease_until: now });
    for (const id of commands) {
      const row = view.get('unanswered', id);
      if (row) view.put('unanswered', id, { ...row, owner: null });
    }
    return NO_ROWS;
  },
  'journal.purge_expired_command_keys': purge('command_keys', KEY_RETENTION_MS),
  'journal.purge_expired_unanswered': purge('unanswered', UNANSWERED_RETENTION_MS),
};
