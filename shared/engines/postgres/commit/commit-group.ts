/**
 * The steps of the commit point's Postgres transaction for a group of commands, and how to find out later whether it
 * committed.
 */
import type { EventMark } from '../../../contract/envelope.js';
import type { RecordedEvent } from '../../../contract/events.js';
import { ERASED_AT_ONCE } from '../../sql/erased-at-once.js';
import type { PreparedCommand } from '../../sql/prepare-command.js';
import type { SubjectState } from '../../sql/refusal-of.js';
import type { Queryable, Transaction } from '../connection/postgres.js';
import { eventsToAppend } from '../journal/event-rows.js';
import { putEntries, releaseMemories } from '../records/postgres-embedding-cache.js';
import { checkGroup, type KnownKey, type Verdict } from './check-group.js';
import { eraseSubjects } from './erasing/erase-subjects.js';
import { APPEND, ARGUMENTS_OF_APPEND, FIND_KEYS, FIND_POSITIONS, LEAVE_REST, LOCK, MOVE } from './group-statements.js';
import { type Locks, planLocks } from './plan-locks.js';
import { endsOf, planWrites, type Writes } from './plan-writes.js';

export type GroupConditions = {
  readonly owner: string;
  readonly leaseMs: number;
  /** Ids of commands whose callers have received their answers. */
  readonly answered: readonly string[];
  /** An event without which nothing is appended; null: without this condition. */
  readonly witness: EventMark | null;
};

export type CheckedGroup = {
  /** One for each command, in order. */
  readonly verdicts: readonly Verdict[];
  readonly accepted: readonly PreparedCommand[];
};

export type LockedGroup = CheckedGroup & { readonly locks: Locks; readonly ended: readonly string[] };

/** Locks all subjects and keys of the group, in the same order for all groups, and checks its commands. */
export async function lockGroup(transaction: Queryable, commands: readonly PreparedCommand[]): Promise<LockedGroup> {
  const locks = planLocks(commands);
  const { subjects, ended } = await lock(transaction, locks);
  const keys = await findKeys(transaction, locks.keys);
  const verdicts = checkGroup(commands, { subjects, keys });
  return {
    locks,
    ended,
    verdicts,
    accepted: commands.filter((_command, index) => verdicts[index]?.kind === 'accepted'),
  };
}

/** Writes the accepted commands, apart from their events, which `appendAndCommit` appends. */
export async function writeGroup(
  transaction: Queryable,
  group: LockedGroup,
  conditions: GroupConditions,
): Promise<void> {
  const { locks, ended, accepted } = group;
  const writes = planWrites(accepted);
  await moveSubjects(transaction, { writes, locks, answered: conditions.answered });
  await erase(transaction, writes, ended);
  await putEntries(transaction, writes.vectors);
  if (accepted.length === 0) return;
  await transaction.query(ARGUMENTS_OF_APPEND, [
    eventsToAppend(writes.appends),
    conditions.owner,
    String(conditions.leaseMs),
    ...rememberedRequests(accepted),
    conditions.witness === null ? '' : `${conditions.witness.position} ${conditions.witness.eventId}`,
  ]);
}

/**
 * Appends the events of a written group and commits. Returns the positions of the events in order. The append blocks
 * all other groups until the end of the transaction, so both go to Postgres in one message: a process that stops in
 * between would stop all commits.
 */
export async function appendAndCommit(transaction: Transaction, { accepted }: LockedGroup): Promise<readonly number[]> {
  if (accepted.length === 0) return [];
  const { rows } = await transaction.queryAndCommit<{ position: number }>(APPEND);
  return rows.map(({ position }) => position);
}

/**
 * Finds out whether a transaction with a lost answer was committed. It locked its subjects until its end, so once they
 * are locked again the result is final. Returns the positions of its events; null: it was not committed.
 */
export async function findCommitted(
  transaction: Queryable,
  { locks, accepted }: LockedGroup,
): Promise<readonly number[] | null> {
  await lock(transaction, locks);
  await moveSubjects(transaction, { writes: planWrites([]), locks, answered: [] });
  const ids = accepted.flatMap(({ events }) => events.map(({ id }) => id));
  const { rows } = await transaction.query<{ position: number }>(FIND_POSITIONS, [ids]);
  return rows.length === ids.length ? rows.map(({ position }) => position) : null;
}

/** The accepted events with their positions in the journal. */
export function recordedEvents(
  accepted: readonly PreparedCommand[],
  positions: readonly number[],
): readonly RecordedEvent[] {
  const events = accepted.flatMap((command) => command.events);
  if (events.length !== positions.length)
    throw new Error(`The journal gave ${positions.length} positions for ${events.length} events`);
  // A new event with its position is a recorded event; the compiler cannot derive this from a spread of the union.
  return events.map((event, index) => ({ ...event, position: positions[index] }) as RecordedEvent);
}

async function lock(transaction: Queryable, { keys, requests: wishes, deleting: leaving }: Locks) {
  const { rows } = await transaction.query<{ subject: string; version: number; present: boolean; ended: boolean }>(
    LOCK,
    [keys, JSON.stringify(wishes), leaving, ERASED_AT_ONCE],
  );
  const subjects = new Map<string, SubjectState>(
    rows.map(({ subject, version, present }) => [subject, { version, isPresent: present }]),
  );
  return { subjects, ended: rows.filter((row) => row.ended).map(({ subject }) => subject) };
}

type KeyRow = {
  readonly key: string;
  readonly request_hash: string;
  readonly first_position: number;
  readonly last_position: number;
};

async function findKeys(transaction: Queryable, keys: readonly string[]): Promise<ReadonlyMap<string, KnownKey>> {
  if (keys.length === 0) return new Map();
  const { rows } = await transaction.query<KeyRow>(FIND_KEYS, [keys]);
  return new Map(
    rows.map((row) => [row.key, { requestHash: row.request_hash, first: row.first_position, last: row.last_position }]),
  );
}

type Moving = { readonly writes: Writes; readonly locks: Locks; readonly answered: readonly string[] };

async function moveSubjects(
  transaction: Queryable,
  { writes: { moves, ends }, locks, answered }: Moving,
): Promise<void> {
  const moving = new Set(moves.map(({ subject }) => subject));
  const unused = locks.requests
    .filter(({ subject, hold }) => hold === 'fresh' && !moving.has(subject))
    .map(({ subject }) => subject);
  if (moves.length + unused.length + answered.length === 0) return;
  const { rows } = await transaction.query<{ moved: number }>(MOVE, [
    JSON.stringify(moves),
    [...moving],
    JSON.stringify(ends),
    unused,
    answered,
  ]);
  const moved = rows[0]?.moved;
  if (moved !== moves.length)
    throw new Error(`Only ${moved} of ${moves.length} locked subjects moved: the rows changed after they were checked`);
}

/**
 * Erases the data of deleted memories, of their locked associations and of replaced subjects in the journal, ends these
 * associations and releases cached embeddings. The associations beyond ERASED_AT_ONCE follow in batches.
 */
async function erase(transaction: Queryable, { erased, replaced }: Writes, locked: readonly string[]): Promise<void> {
  const subjects = [...erased, ...replaced];
  if (subjects.length === 0) return;
  const gone = new Set<string>(erased);
  // The associations of a refused delete were locked too, and stay.
  const ended = locked.filter((subject) => endsOf(subject).some((end) => gone.has(end.memory_id)));
  await eraseSubjects(transaction, { others: subjects, associations: ended });
  // The limit counts ends, and each association has two. With fewer associations than half of it, all are locked.
  if (locked.length >= ERASED_AT_ONCE / 2) await transaction.query(LEAVE_REST, [erased]);
  await releaseMemories(transaction, erased);
}

/** Keys and fingerprints as JSON, each with the numbers of its command's first and last event in the group, from 1. */
function rememberedRequests(accepted: readonly PreparedCommand[]): readonly [string, string] {
  let before = 0;
  const ranged = accepted.map((command) => {
    const first = before + 1;
    before += command.events.length;
    return { command, range: { first, last: before } };
  });
  const keys = ranged.flatMap(({ command: { key }, range }) =>
    key ? [{ key: key.key, request_hash: key.requestHash, ...range }] : [],
  );
  const fingerprints = ranged.flatMap(({ command: { id, fingerprint }, range }) =>
    fingerprint === null ? [] : [{ command_id: id, fingerprint, ...range }],
  );
  return [JSON.stringify(keys), JSON.stringify(fingerprints)];
}
