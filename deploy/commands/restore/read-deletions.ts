/** Reads a list of deletions and checks that it is whole and belongs to the archive that is restored. */
import type { MemoryId, Timestamp } from '../../../shared/contract/memory.js';
import type { ArchiveManifest } from '../../../shared/integrity/backup-format/archive-format.js';
import { ValidationError } from '../../../shared/kernel/errors.js';
import { type ListEnd, parseLine } from '../deletions/deletion-list.js';
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
