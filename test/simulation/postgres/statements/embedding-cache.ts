/** The statements of the embedding cache, and those that erase what a large deletion left. */
import { ERASED_AT_ONCE } from '../../../../shared/engines/sql/erased-at-once.js';
import {
  NO_ROWS,
  rows,
  type SimulatedStatement,
  type SimulatedStatements,
  sortedBy,
  sortedByText,
} from '../statement.js';

const put =
  (isReplaced: boolean): SimulatedStatement =>
  async ({ view, params, lock }) => {
    const [refs, memoryIds, vectors] = params as [readonly string[], readonly string[], readonly Uint8Array[]];
    for (const memoryId of [...new Set(memoryIds)].sort())
      if (view.get('subjects', memoryId)) await lock(`subject ${memoryId}`, 'shared');
    for (const [index, ref] of refs.entries()) {
      const [memoryId, vector] = [memoryIds[index], vectors[index]];
      if (memoryId === undefined || vector === undefined) continue;
      if (view.get('subjects', memoryId)?.present === false) continue;
      if (isReplaced || !view.get('embedding_cache', ref)) view.put('embedding_cache', ref, { ref, vector });
      view.put('embedding_uses', `${memoryId} ${ref}`, { memory_id: memoryId, ref });
    }
    return NO_ROWS;
  };

export const EMBEDDING_CACHE: SimulatedStatements = {
  'embedding_cache.put': put(false),
  'embedding_cache.replace': put(true),
  'embedding_cache.get': ({ view, params: [refs] }) =>
    rows((refs as readonly string[]).flatMap((ref) => view.get('embedding_cache', ref) ?? [])),
  'embedding_cache.forget_uses': ({ view, params: [memoryIds] }) => {
    const uses = view
      .all('embedding_uses')
      .filter(({ memory_id: memoryId }) => (memoryIds as readonly string[]).includes(memoryId));
    for (const { memory_id: memoryId, ref } of uses) view.remove('embedding_uses', `${memoryId} ${ref}`);
    return rows(uses.map(({ ref }) => ({ ref })));
  },
  'embedding_cache.lock': async ({ params: [refs], lock }) => {
    for (const ref of [...(refs as readonly string[])].sort()) await lock(`vector ${ref}`, 'exclusive');
    return NO_ROWS;
  },
  'embedding_cache.drop_unused': ({ view, params: [refs] }) => {
    const used = new Set(view.all('embedding_uses').map(({ ref }) => ref));
    for (const ref of refs as readonly string[]) if (!used.has(ref)) view.remove('embedding_cache', ref);
    return NO_ROWS;
  },
};

export const ERASURES: SimulatedStatements = {
  'journal.find_erasure': ({ view }) => ({ rows: [], count: Math.min(1, view.all('erasures').length) }),
  'journal.take_erasure': ({ view }) =>
    rows(
      sortedByText(
        sortedBy(view.all('erasures'), ({ until }) => until),
        ({ memory_id: memoryId }) => memoryId,
      ).slice(0, 1),
    ),
  'journal.page_erasure': ({ view, params }) => {
    const [memoryId, after] = params as [string, string];
    const ends = view.all('association_ends').filter((end) => end.memory_id === memoryId && end.subject > after);
    return rows(sortedByText(ends, ({ subject }) => subject).slice(0, ERASED_AT_ONCE));
  },
  'journal.lock_former': async ({ view, params, lock }) => {
    const [subjects, until] = params as [readonly string[], number];
    const later = new Set(
      view
        .all('journal')
        .filter(({ position }) => position > until)
        .map(({ subject }) => subject),
    );
    const former = subjects.filter((subject) => view.get('subjects', subject) && !later.has(subject)).sort();
    for (const subject of former) await lock(`subject ${subject}`, 'exclusive');
    return rows(former.map((subject) => ({ subject })));
  },
  'journal.continue_erasure': ({ view, params }) => {
    const [memoryId, until, after] = params as [string, number, string];
    view.put('erasures', `${memoryId} ${until}`, { memory_id: memoryId, until, after });
    return NO_ROWS;
  },
  'journal.end_erasure': ({ view, params: [memoryId, until] }) => {
    view.remove('erasures', `${String(memoryId)} ${String(until)}`);
    return NO_ROWS;
  },
};
