/**
 * The commit point (group commit): one group of commands in one transaction of the writer thread. If one command
 * throws, the group is repeated with a savepoint for each command, so that one bad command fails alone. Only a failure
 * of the transaction fails all commands.
 */
import type { NewEvent, RecordedEvent } from '../../../contract/events.js';
import type { MemoryId } from '../../../contract/memory.js';
import { DependencyError } from '../../../kernel/errors.js';
import type { Outcome } from '../../../ports/committer.js';
import type { PreparedCommand } from '../../sql/prepare-command.js';
import { refusalOf, type SubjectState } from '../../sql/refusal-of.js';
import { advanceMark } from '../graph/applying/advance-mark.js';
import { applyEvent } from '../graph/applying/apply-events.js';
import { appendEvent, eraseEvents } from '../journal/event-rows.js';
import { putEntry } from '../records/sqlite-embedding-cache.js';
import type { Database, SqlRow } from '../threads/database.js';
import { procedure } from '../threads/host.js';
import { type SerializedError, serializeError } from '../threads/serialized-error.js';
import { translateSqliteError } from '../threads/sqlite-errors.js';
import { findKey, forgetAnswered, purgeOld, rememberRequest } from './earlier-requests.js';
import { eraseMemory } from './erase-memory.js';
import { type SlimCommand, wholeCommand } from './slim-command.js';

export type CommitGroup = {
  readonly commands: readonly SlimCommand[];
  /** Ids of commands whose callers have received their answers. */
  readonly answered: readonly string[];
  readonly owner: string;
  readonly nowMs: number;
};

type CommandOwner = Pick<CommitGroup, 'owner' | 'nowMs'>;

export type CommandResult =
  /** `first`: the position of the first event; the others follow without a gap. */
  | { readonly kind: 'committed'; readonly first: number }
  | { readonly kind: 'repeated'; readonly rows: readonly SqlRow[] }
  | Extract<Outcome, { kind: 'key_reused' | 'conflict' | 'absent' }>
  | { readonly kind: 'failed'; readonly error: SerializedError };

export const commitGroup = procedure(
  import.meta.url,
  'commitGroup',
  (database, group: CommitGroup): CommandResult[] => {
    forgetAnswered(database, group.answered);
    purgeOld(database, { commands: group.commands.length, nowMs: group.nowMs });
    const commands = group.commands.map(wholeCommand);
    const results =
      commitTogether(database, commands, group) ?? commands.map((command) => commitAlone(database, command, group));
    markApplied(database, commands, results);
    return results;
  },
);

/** Once for all events of the group: the row of the mark is the same for each. */
function markApplied(
  database: Database,
  commands: readonly PreparedCommand[],
  results: readonly CommandResult[],
): void {
  const last = results.findLastIndex((result, index) => result.kind === 'committed' && hasEvents(commands[index]));
  const [result, event] = [results[last], commands[last]?.events.at(-1)];
  if (result?.kind !== 'committed' || event === undefined) return;
  advanceMark(database, { id: event.id, position: result.first + (commands[last]?.events.length ?? 1) - 1 });
}

function hasEvents(command: PreparedCommand | undefined): boolean {
  return command !== undefined && command.events.length > 0;
}

/**
 * Commits all commands in one savepoint, which works for nearly every group. Returns null, with nothing written, if one
 * command throws. Why one savepoint: a savepoint copies the pages that it changes, and one for each of 50 memories
 * makes the graph's writes 10% slower.
 */
function commitTogether(
  database: Database,
  commands: readonly PreparedCommand[],
  by: CommandOwner,
): CommandResult[] | null {
  if (commands.length < 2) return null;
  try {
    return database.savepoint(() => commands.map((command) => commitOne(database, command, by)));
  } catch (error) {
    const translated = translateSqliteError(error);
    if (translated instanceof DependencyError) throw translated;
    return null;
  }
}

function commitOne(database: Database, command: PreparedCommand, { owner, nowMs }: CommandOwner): CommandResult {
  const earlier = command.key && findKey(database, command.key, nowMs);
  if (earlier) return earlier;
  const refusal = refusalOf(command, (subject) => readState(database, subject));
  return refusal ?? { kind: 'committed', first: recordCommand(database, command, { owner, nowMs }) };
}

function commitAlone(database: Database, command: PreparedCommand, by: CommandOwner): CommandResult {
  try {
    return database.savepoint(() => commitOne(database, command, by));
  } catch (error) {
    const translated = translateSqliteError(error);
    if (translated instanceof DependencyError) throw translated;
    return { kind: 'failed', error: serializeError(translated) };
  }
}

function readState(database: Database, subject: string): SubjectState {
  const row = database.get('SELECT version, present FROM subjects WHERE subject = ?', [subject]);
  return { version: Number(row?.['version'] ?? 0), isPresent: row?.['present'] === 1 };
}

/**
 * Writes an accepted command: journal, subjects, graph, supplied vectors, and the rows by which a repeated request
 * finds it. Returns the position of the first event.
 */
function recordCommand(
  database: Database,
  command: PreparedCommand,
  by: { readonly owner: string; readonly nowMs: number },
): number {
  for (const subject of command.erases ?? []) eraseEvents(database, subject);
  const positions = command.events.map((event, index) =>
    recordEvent(database, event, command.dataTexts[index] ?? 'null'),
  );
  for (const entry of command.vectors) putEntry(database, entry);
  const [first = 0] = positions;
  rememberRequest(database, command, { ...by, first, last: positions.at(-1) ?? first });
  return first;
}

function recordEvent(database: Database, event: NewEvent, dataText: string): number {
  // Before the append, so that the deletion event keeps its own data, which holds no content.
  if (event.type === 'memory.deleted') eraseMemory(database, event.subject as MemoryId);
  const position = appendEvent(database, event, dataText);
  database.run(
    `INSERT INTO subjects (subject, version, revision, present) VALUES (?, ?, ?, ?)
     ON CONFLICT (subject) DO UPDATE SET version = excluded.version, revision = excluded.revision, present = excluded.present`,
    [event.subject, event.version, event.revision, event.type === 'memory.deleted' ? 0 : 1],
  );
  if (event.type === 'association.created' || event.type === 'association.updated') putEnds(database, event);
  // A new event with its position is a recorded event; the compiler cannot derive this from a spread of the union.
  applyEvent(database, { ...event, position } as RecordedEvent);
  return position;
}

function putEnds(
  database: Database,
  { subject, data }: Extract<NewEvent, { type: 'association.created' | 'association.updated' }>,
): void {
  for (const end of [data.association.source, data.association.target]) {
    database.run('INSERT OR IGNORE INTO association_ends (memory_id, subject) VALUES (?, ?)', [end, subject]);
  }
}
