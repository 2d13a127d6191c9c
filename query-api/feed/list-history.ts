/**
 * GET /memory/:id/history: every version of a memory, oldest first, page by page; of a deleted one what deletion leaves. Its associations
 * have histories of their own, in the feed of events.
 */
import { HISTORY_LIMIT } from '../../shared/contract/limits.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import type { Handler } from '../../shared/http/handler.js';
import type { JournalReader } from '../../shared/journal/journal.js';
import { NotFoundError } from '../../shared/kernel/errors.js';
import { historyVersion } from './history-version.js';
import { readWithin } from './read-within.js';

const DEFAULT_LIMIT = 50;

export function createListHistory({
  journal,
}: {
  readonly journal: Pick<JournalReader, 'read'>;
}): Handler<'listHistory'> {
  const wasEver = async (id: MemoryId): Promise<boolean> =>
    (await journal.read({ subject: id, after: 0, limit: 1 })).length > 0;

  return async ({ params: { id }, query: { after = 0, limit = DEFAULT_LIMIT } }) => {
    const { items, last, isComplete } = await readWithin({
      limit: Math.min(Math.max(1, limit), HISTORY_LIMIT),
      read: (previous, few) =>
        journal.read({ subject: id, after: 0, afterVersion: previous?.version ?? after, limit: few }),
      present: historyVersion,
    });
    if (last === undefined && !(await wasEver(id))) throw new NotFoundError('Memory not found');
    return {
      status: 200,
      body: {
        status: 'success',
        memory_id: id,
        versions: items,
        next: isComplete || last === undefined ? null : last.version,
        count: items.length,
      },
    };
  };
}
