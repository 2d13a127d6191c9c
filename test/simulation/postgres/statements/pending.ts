/** The statements over `outbox_pending` and the dead letters of the commit. */
import { COMMIT_LETTERS, RELAY_LETTERS } from '../../../../shared/contract/projector-names.js';
import { APPLIED_CHANNEL } from '../../../../shared/engines/postgres/outbox/applied-listener.js';
import {
  headOf,
  NO_ROWS,
  rows,
  type Scope,
  type SimulatedStatement,
  type SimulatedStatements,
  sortedBy,
} from '../statement.js';
import type { JournalRow, Rows, View } from '../tables.js';
import { ownerLock } from './earlier-requests.js';

type Pending = Rows['outbox_pending'];
type Letter = Rows['dead_letters'];

const byPosition = <T extends { readonly position: number }>(items: readonly T[]): readonly T[] =>
  sortedBy(items, ({ position }) => position);

export const commitLetters = (view: View): readonly Letter[] =>
  view.all('dead_letters').filter(({ projector }) => projector === COMMIT_LETTERS);

/** Letters of events that the stream does not get: of the commit and of the relay. */
export const heldLetters = (view: View): readonly Letter[] =>
  view.all('dead_letters').filter(({ projector }) => projector === COMMIT_LETTERS || projector === RELAY_LETTERS);

/** The positions at which the journal has one of these events. */
export function positionsOfEvents({ view, params }: Scope): readonly number[] {
  const [positions, ids] = params as [readonly number[], readonly string[]];
  const wanted = new Set(ids);
  return positions.filter((position) => wanted.has(view.get('journal', position)?.event_id ?? ''));
}

function withFailures(view: View, row: JournalRow): object {
  return {
    ...row,
    attempts: view.get('outbox_pending', row.position)?.attempts ?? null,
    letter: commitLetters(view).find((letter) => letter.event_id === row.event_id)?.id ?? null,
  };
}

const isBehindFailed = (view: View, row: Pending): boolean =>
  view
    .all('outbox_pending')
    .some((earlier) => earlier.attempts > 0 && earlier.subject === row.subject && earlier.position < row.position);

function claim(scope: Scope, claimed: readonly Pending[], owner: string, leaseMs: number) {
  const { view, now } = scope;
  for (const row of claimed) view.put('outbox_pending', row.position, { ...row, owner, lease_until: now + leaseMs });
  return rows(byPosition(claimed.flatMap(({ position }) => view.get('journal', position) ?? [])));
}

const claimOverdue: SimulatedStatement = (scope) => {
  const { view, params, now, isUnlocked } = scope;
  const [owner, leaseMs, limit, after] = params as [string, number, number, number];
  const waiting = view.all('outbox_pending').filter(({ position, attempts }) => position > after && attempts === 0);
  const isGone = (row: Pending): boolean => row.owner !== owner && isUnlocked(ownerLock(row.owner));
  const overdue = waiting.filter((row) => (row.lease_until < now || isGone(row)) && !isBehindFailed(view, row));
  const claimed = byPosition(overdue).slice(0, limit);
  for (const row of claimed) {
    const command = view.get('unanswered', row.command_id);
    if (command) view.put('unanswered', row.command_id, { ...command, owner: null });
  }
  return claim(scope, claimed, owner, leaseMs);
};

const claimFailed: SimulatedStatement = (scope) => {
  const { view, params, now } = scope;
  const due = view
    .all('outbox_pending')
    .filter(
      (row) =>
        row.attempts > 0 && (row.next_attempt_at ?? 0) <= now && row.lease_until <= now && !isBehindFailed(view, row),
    );
  const first = sortedBy(due, (row) => row.next_attempt_at ?? 0).slice(0, 1);
  return claim(scope, first, String(params[0]), Number(params[1]));
};

/** Removes rows and wakes the relay. */
function finish({ view, notify }: Scope, table: 'outbox_pending' | 'dead_letters', keys: readonly number[]) {
  const found = keys.filter((key) => view.get(table, key) !== undefined);
  for (const key of found) view.remove(table, key);
  if (found.length > 0) notify(APPLIED_CHANNEL);
  return NO_ROWS;
}

const countFailure: SimulatedStatement = (scope) => {
  const { view, params, now } = scope;
  const [positions, , reasons, firstMs, longestMs, isCounted] = params as [
    readonly number[],
    readonly string[],
    readonly string[],
    number,
    number,
    boolean,
  ];
  const failed = positionsOfEvents(scope);
  for (const [index, position] of positions.entries()) {
    const row = view.get('outbox_pending', position);
    if (!row || !failed.includes(position)) continue;
    view.put('outbox_pending', position, {
      ...row,
      attempts: isCounted ? row.attempts + 1 : Math.max(row.attempts, 1),
      last_error: reasons[index] ?? null,
      lease_until: now,
      next_attempt_at: now + Math.min(longestMs, firstMs * 2 ** Math.min(row.attempts, 30)),
    });
  }
  return NO_ROWS;
};

const bury: SimulatedStatement = ({ view, params: [most], now, next }) => {
  const pending = view.all('outbox_pending');
  const firsts = pending.filter(({ attempts }) => attempts > 0 && attempts >= Number(most));
  const dead = pending.filter((row) =>
    firsts.some((first) => first.subject === row.subject && row.position >= first.position),
  );
  const buried = byPosition(dead).flatMap((row) => {
    view.remove('outbox_pending', row.position);
    const event = view.get('journal', row.position);
    if (!event) return [];
    const reason = row.last_error ?? 'waits for an earlier event of its subject';
    const known = commitLetters(view).find((letter) => letter.event_id === event.event_id);
    // An upsert takes a value of the sequence also where the row exists.
    const id = next('dead_letter_id');
    const letter: Letter = {
      ...(known ?? {
        projector: COMMIT_LETTERS,
        event_id: event.event_id,
        subject: event.subject,
        type: event.type,
        version: event.version,
        position: row.position,
        awaits_redrive: false,
      }),
      id: known?.id ?? id,
      reason,
      attempts: row.attempts,
      at: new Date(now).toISOString(),
    };
    view.put('dead_letters', letter.id, letter);
    return [{ id: letter.id, subject: letter.subject, position: letter.position }];
  });
  return rows(buried);
};

export const PENDING: SimulatedStatements = {
  'journal.pending_of_subjects': ({ view, params: [subjects] }) => {
    const wanted = new Set(subjects as readonly string[]);
    const positions = [...view.all('outbox_pending'), ...commitLetters(view)]
      .filter(({ subject }) => wanted.has(subject))
      .map(({ position }) => position);
    const events = [...new Set(positions)].flatMap((position) => view.get('journal', position) ?? []);
    return rows(byPosition(events).map((event) => withFailures(view, event)));
  },
  'journal.events_of_ranges': ({ view, params }) => {
    const [firsts, lasts] = params as [readonly number[], readonly number[]];
    const isWanted = ({ position }: JournalRow): boolean =>
      firsts.some((first, index) => position >= first && position <= (lasts[index] ?? 0));
    return rows(byPosition(view.all('journal').filter(isWanted)).map((event) => withFailures(view, event)));
  },
  'journal.claim_overdue': claimOverdue,
  'journal.claim_failed': claimFailed,
  'journal.finish_pending': (scope) => finish(scope, 'outbox_pending', positionsOfEvents(scope)),
  'journal.release_pending': ({ view, params: [positions], now }) => {
    for (const position of positions as readonly number[]) {
      const row = view.get('outbox_pending', position);
      if (row) view.put('outbox_pending', position, { ...row, lease_until: now });
    }
    return NO_ROWS;
  },
  'journal.count_failure': countFailure,
  'journal.bury_pending': bury,
  'journal.count_dead_failure': ({ view, params }) => {
    const [ids, reasons] = params as [readonly string[], readonly string[]];
    for (const letter of commitLetters(view)) {
      const index = ids.indexOf(letter.event_id);
      if (index < 0) continue;
      const failed = { attempts: letter.attempts + 1, reason: reasons[index] ?? letter.reason };
      view.put('dead_letters', letter.id, { ...letter, ...failed });
    }
    return NO_ROWS;
  },
  'journal.finish_dead': (scope) => {
    const ids = new Set(scope.params[0] as readonly string[]);
    const finished = commitLetters(scope.view).filter((letter) => ids.has(letter.event_id));
    return finish(
      scope,
      'dead_letters',
      finished.map(({ id }) => id),
    );
  },
  'journal.look_at_pending': ({ view, params }) => {
    const [bound, limit] = params as [number, number];
    const head = headOf(view);
    const start = bound > head ? 0 : bound;
    const pending = view.all('outbox_pending');
    const above = pending.filter(({ position, attempts }) => position > start && attempts === 0);
    const failed = pending.filter(({ attempts }) => attempts > 0);
    return rows([
      { head, first: byPosition(above)[0]?.position ?? null, count: Math.min(limit, above.length + failed.length) },
    ]);
  },
};
