/**
 * GET /memory/:id/history: every version of a memory, oldest first, page by page; for a deleted memory, the parts that
 * deletion keeps. The history of its associations is in the feed of events.
 */
import type { RecordedEvent } from '../../shared/contract/events.js';
import { HISTORY_LIMIT } from '../../shared/contract/limits.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import type { Handler } from '../../shared/http/handler.js';
import { NotFoundError } from '../../shared/kernel/errors.js';
import type { JournalReader } from '../../shared/ports/journal.js';
import { readPage } from './read-page.js';

const DEFAULT_LIMIT = 50;

export function createListHistory({
  journal,
}: {
  readonly journal: Pick<JournalReader, 'read'>;
}): Handler<'listHistory'> {
  const wasEver = async (id: MemoryId): Promise<boolean> =>
    (await journal.read({ subject: id, after: 0, limit: 1 })).length > 0;

  return async ({ params: { id }, query: { after = 0, limit = DEFAULT_LIMIT } }) => {
    const { items, last, isComplete } = await readPage({
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

/** One version in the history: always the envelope, and the memory unless it was erased. */
function historyVersion(event: RecordedEvent) {
  const { data } = event;
  return {
    version: event.version,
    revision: event.revision,
    type: event.type,
    event_id: event.id,
    position: event.position,
    time: event.time,
    actor: event.actor,
    request_id: event.correlationId,
    causation_id: event.causationId,
    changed: data === null ? null : 'changed' in data ? data.changed : [],
    memory: data !== null && 'memory' in data ? data.memory : null,
    erased: data === null,
  };
}
