/** Reads the deletions of a journal between two positions, page by page. */
import { MEMORY_EVENTS } from '../../../shared/contract/events.js';
import type { MemoryId } from '../../../shared/contract/memory.js';
import { newestOf } from '../../../shared/integrity/comparison/compare-memories.js';
import type { JournalReader } from '../../../shared/ports/journal.js';
import type { Deletion } from './deletion-list.js';

/** Deletions in one page; `lastOf` accepts no more subjects. */
const PAGE = 1_000;
/** Positions that one read looks at: deletions may be rare, and each read is short. */
const WINDOW = 50_000;

/** Memories that are still deleted. One that returned, as patterns do, and was deleted again has its last deletion alone. */
export async function* findDeletions(
  journal: Pick<JournalReader, 'read' | 'lastOf'>,
  { since, through, signal }: { readonly since: number; readonly through: number; readonly signal: AbortSignal },
): AsyncGenerator<readonly Omit<Deletion, 'kind'>[]> {
  for (let after = since; after < through;) {
    signal.throwIfAborted();
    const end = Math.min(after + WINDOW, through);
    const page = await journal.read({ after, through: end, limit: PAGE, types: ['memory.deleted'] });
    if (page.length > 0) {
      const subjects = [...new Set(page.map(({ subject }) => subject))];
      const newest = newestOf(await journal.lastOf({ subjects, types: MEMORY_EVENTS }));
      yield page
        .filter(({ subject, position }) => newest.get(subject)?.position === position)
        .map(({ subject, time, position }) => ({ id: subject as MemoryId, deletedAt: time, position }));
    }
    after = page.length < PAGE ? end : (page.at(-1)?.position ?? end);
  }
}
