/** Reads a list of deletions that belongs to the archive, and deletes its memories before a store has their words. */
import { type RecordedEvent, SCHEMA_VERSIONS } from '../../../shared/contract/events.js';
import type { MemoryId, Timestamp } from '../../../shared/contract/memory.js';
import type { ArchiveManifest } from '../../../shared/integrity/backup-format/archive-format.js';
import type { Ids } from '../../../shared/kernel/clock.js';
import { ValidationError } from '../../../shared/kernel/errors.js';
import type { CacheEntry } from '../../../shared/ports/embedder.js';
import { type ListEnd, parseLine } from '../deletions/save-deletions.js';
import { readLines } from '../import/read-lines.js';

/** Deletions of one list, which are in memory during the restore. */
const DELETIONS_LIMIT = 1_000_000;

export type Deletions = ReadonlyMap<MemoryId, Timestamp>;

/** The ids of the list with the times of their deletions. Throws ValidationError with the number of the line. */
export async function readDeletions(
  file: string,
  archive: Pick<ArchiveManifest, 'journalId' | 'p1'>,
): Promise<Deletions> {
  const deletions = new Map<MemoryId, Timestamp>();
  const refuse = (line: number, reason: string): never => {
    throw new ValidationError(`${file}, line ${line}: ${reason}. Nothing was restored`);
  };
  let covered = archive.p1;
  let sinceLastEnd = 0;
  let isWhole = false;
  let lines = 0;
  for await (const { number, text } of readLines(file)) {
    lines = number;
    if (text.trim() === '') continue;
    const line = parseLine(text);
    if (typeof line === 'string') return refuse(number, line);
    isWhole = line.kind === 'end';
    if (line.kind === 'deletion') {
      deletions.set(line.id, line.deletedAt);
      sinceLastEnd += 1;
      if (deletions.size > DELETIONS_LIMIT) return refuse(number, `a list has at most ${DELETIONS_LIMIT} memories`);
    } else {
      const problem = problemOf(line, { lines: sinceLastEnd, covered, journalId: archive.journalId });
      if (problem !== null) return refuse(number, problem);
      if (line.journal === archive.journalId) covered = Math.max(covered, line.through);
      sinceLastEnd = 0;
    }
  }
  if (!isWhole) return refuse(lines + 1, 'the last line of the list is missing, so it is not whole: write it again');
  return deletions;
}

/** `covered`: the archive and the lists before this one have every deletion up to here. */
function problemOf(
  { deletions, since, journal }: ListEnd,
  { lines, covered, journalId }: { readonly lines: number; readonly covered: number; readonly journalId: string },
): string | null {
  if (deletions !== lines) return `the list has ${lines} deletions, and ${deletions} were written: write it again`;
  if (since === 0) return null;
  if (journal !== journalId)
    return `the list begins after position ${since} of journal ${journal}, and the archive is of journal ${journalId}: write the list without --since and --after`;
  if (since > covered)
    return `the list begins after position ${since}, and the deletions after ${covered} are missing: write it with --since ${covered}`;
  return null;
}

export type ListedDeletions = {
  /** The same events, without the data of listed memories and of their associations: as after a deletion. */
  readonly erase: (events: readonly RecordedEvent[]) => readonly RecordedEvent[];
  readonly keep: (entries: readonly CacheEntry[]) => readonly CacheEntry[];
  /** Call it after the last event of the archive: the deletions that the archive does not have. */
  readonly events: () => readonly RecordedEvent[];
};

export function createListedDeletions({
  deletions,
  ids,
}: {
  readonly deletions: Deletions;
  readonly ids: Ids;
}): ListedDeletions {
  const deletedAt: ReadonlyMap<string, string> = deletions;
  /** The last event of each listed memory. */
  const newest = new Map<string, RecordedEvent>();
  let head = 0;

  function eraseOne(event: RecordedEvent): RecordedEvent {
    head = Math.max(head, event.position);
    if (deletedAt.has(event.subject) && event.version > (newest.get(event.subject)?.version ?? 0))
      newest.set(event.subject, { ...event, data: null });
    if (event.type === 'memory.deleted') return event;
    // The subject of a memory is its id; that of an association is `source|TYPE|target`.
    return event.subject.split('|').some((part) => deletedAt.has(part)) ? { ...event, data: null } : event;
  }

  return {
    erase: (events) => (deletions.size === 0 ? events : events.map(eraseOne)),
    keep: (entries) => entries.filter(({ memoryId }) => !deletions.has(memoryId)),
    events: () => {
      const present = [...newest.values()].filter(({ type }) => type !== 'memory.deleted');
      const correlationId = ids.uuid();
      return present.map(({ subject, version, revision }, index): RecordedEvent => ({
        type: 'memory.deleted',
        data: {},
        id: ids.uuid(),
        schemaVersion: SCHEMA_VERSIONS['memory.deleted'],
        subject,
        partitionKey: subject,
        version: version + 1,
        revision: revision + 1,
        time: deletedAt.get(subject) ?? '',
        actor: { name: 'restore', tier: 'admin', agent: null },
        correlationId,
        causationId: null,
        traceparent: null,
        tenant: null,
        position: head + index + 1,
      }));
    },
  };
}
