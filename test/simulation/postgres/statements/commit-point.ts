/** The statements of the commit point: lock, check, write and append a group of commands. */
import { WENT_BACK } from '../../../../shared/engines/postgres/connection/postgres-errors.js';
import { serverError } from '../server-errors.js';
import {
  NO_ROWS,
  rows,
  type Scope,
  type SimulatedStatement,
  type SimulatedStatements,
  sortedBy,
  sortedByText,
} from '../statement.js';
import { isValidKey } from './earlier-requests.js';

type Wish = { readonly subject: string; readonly hold: 'fresh' | 'change' | 'keep' };
type Move = {
  readonly subject: string;
  readonly version: number;
  readonly revision: number | null;
  readonly present: boolean;
};
type End = { readonly memory_id: string; readonly subject: string };

const isAssociation = (subject: string): boolean => subject.includes('|');
const endKey = ({ memory_id: memoryId, subject }: End): string => `${memoryId} ${subject}`;
const rowLock = (subject: string): string => `subject ${subject}`;

/** `lock_group`: locks keys, then memories, then associations, each in order. */
const lockGroup: SimulatedStatement = async ({ view, params, lock }) => {
  const [keys, wishes, leaving, most] = params as [readonly string[], string, readonly string[], number];
  for (const key of [...keys].sort()) await lock(`key ${key}`, 'exclusive');
  const found: object[] = [];
  const take = async (subject: string, hold: Wish['hold'], ended: boolean): Promise<void> => {
    if (hold !== 'fresh' && view.get('subjects', subject) === undefined) return;
    await lock(rowLock(subject), hold === 'keep' ? 'shared' : 'exclusive');
    if (hold === 'fresh' && view.get('subjects', subject) === undefined)
      view.put('subjects', subject, { subject, version: 0, revision: 0, present: false });
    const known = view.get('subjects', subject);
    if (known) found.push({ subject, version: known.version, present: known.present, ended });
  };
  const inOrder = sortedByText(JSON.parse(wishes) as readonly Wish[], ({ subject }) => subject);
  for (const { subject, hold } of inOrder.filter((wish) => !isAssociation(wish.subject)))
    await take(subject, hold, false);
  for (const { subject, hold } of inOrder.filter((wish) => isAssociation(wish.subject)))
    await take(subject, hold, false);
  if (leaving.length > 0) {
    const ends = view.all('association_ends').filter((end) => leaving.includes(end.memory_id));
    const subjects = [...new Set(ends.slice(0, most).map(({ subject }) => subject))].sort();
    for (const subject of subjects) await take(subject, 'change', true);
  }
  return rows(found);
};

const missingValue = (column: string, table: string): Error =>
  serverError('23502', `null value in column "${column}" of relation "${table}" violates not-null constraint`);

const moveSubjects: SimulatedStatement = ({ view, params }) => {
  const [moves, , ends, unused, answered] = params as [string, unknown, string, readonly string[], readonly string[]];
  let moved = 0;
  for (const move of JSON.parse(moves) as readonly Move[]) {
    const known = view.get('subjects', move.subject);
    if (!known || known.version >= move.version) continue;
    if (move.revision === null) throw missingValue('revision', 'subjects');
    view.put('subjects', move.subject, { ...move, revision: move.revision });
    moved += 1;
  }
  for (const end of JSON.parse(ends) as readonly End[]) view.put('association_ends', endKey(end), end);
  for (const subject of unused) if (view.get('subjects', subject)?.version === 0) view.remove('subjects', subject);
  for (const commandId of answered) view.remove('unanswered', commandId);
  return rows([{ moved }]);
};

const erase: SimulatedStatement = ({ view, params }) => {
  const [erased, ended, ends] = params as [readonly string[], readonly string[], string];
  const subjects = new Set(erased);
  for (const row of view.all('journal'))
    if (row.data !== null && subjects.has(row.subject)) view.put('journal', row.position, { ...row, data: null });
  for (const end of JSON.parse(ends) as readonly End[]) view.remove('association_ends', endKey(end));
  for (const subject of ended) {
    const known = view.get('subjects', subject);
    if (known) view.put('subjects', subject, { ...known, present: false });
  }
  return NO_ROWS;
};

const ARGUMENTS = ['events', 'owner', 'lease_ms', 'keys', 'fingerprints', 'witness'] as const;

const argumentsOfAppend: SimulatedStatement = ({ params, settings }) => {
  for (const [index, name] of ARGUMENTS.entries()) settings.set(name, String(params[index]));
  return rows([{ count: ARGUMENTS.length }]);
};

type Remembered = { readonly first: number; readonly last: number };

/** `append_group()`, which runs in one message with COMMIT. */
export function appendGroup({ view, now, next, settings }: Scope) {
  const setting = (name: (typeof ARGUMENTS)[number]): string => settings.get(name) ?? '';
  const events = JSON.parse(setting('events')) as readonly { readonly [column: string]: unknown }[];
  const owner = setting('owner');
  const [position, eventId] = setting('witness').split(' ');
  if (eventId !== undefined && view.get('journal', Number(position))?.event_id !== eventId)
    throw serverError(WENT_BACK, 'the journal went back');
  const positions = events.map(({ command_id: commandId, ...event }) => {
    if (event['revision'] === null) throw missingValue('revision', 'journal');
    const position = next('journal_position');
    // The casts of this function are safe: `eventsToAppend` made the columns.
    view.put('journal', position, { ...event, position, recorded_at: now } as never);
    view.put('outbox', position, { position, recorded_at: now });
    view.put('outbox_pending', position, {
      position,
      partition_key: String(event['partition_key']),
      subject: String(event['subject']),
      command_id: String(commandId),
      owner,
      lease_until: now + Number(setting('lease_ms')),
      attempts: 0,
      next_attempt_at: null,
      last_error: null,
    });
    return position;
  });
  const range = ({ first, last }: Remembered) => ({
    first_position: positions[first - 1] ?? 0,
    last_position: positions[last - 1] ?? 0,
    at: now,
  });
  for (const made of JSON.parse(setting('keys')) as readonly (Remembered & { key: string; request_hash: string })[])
    view.put('command_keys', made.key, { key: made.key, request_hash: made.request_hash, ...range(made) });
  const fingerprints = JSON.parse(setting('fingerprints')) as readonly (Remembered & {
    command_id: string;
    fingerprint: string;
  })[];
  for (const { command_id, fingerprint, ...made } of fingerprints)
    view.put('unanswered', command_id, { command_id, fingerprint, owner, ...range(made) });
  return rows(positions.map((position) => ({ position })));
}

export const COMMIT_POINT: SimulatedStatements = {
  'journal.lock_group': lockGroup,
  'journal.find_valid_keys': ({ view, params: [keys], now }) =>
    rows((keys as readonly string[]).flatMap((key) => view.get('command_keys', key) ?? []).filter(isValidKey(now))),
  'journal.move_subjects': moveSubjects,
  'journal.erase': erase,
  'journal.leave_rest': ({ view, params: [memories] }) => {
    const until = Math.max(0, ...view.all('journal').map(({ position }) => position));
    for (const memoryId of memories as readonly string[])
      if (
        view.all('association_ends').some((end) => end.memory_id === memoryId) &&
        !view.get('erasures', `${memoryId} ${until}`)
      )
        view.put('erasures', `${memoryId} ${until}`, { memory_id: memoryId, until, after: '' });
    return NO_ROWS;
  },
  'journal.arguments_of_append': argumentsOfAppend,
  'journal.find_positions': ({ view, params: [ids] }) => {
    const wanted = new Set(ids as readonly string[]);
    const found = view.all('journal').filter((row) => wanted.has(row.event_id));
    return rows(sortedBy(found, ({ position }) => position).map(({ position }) => ({ position })));
  },
};
