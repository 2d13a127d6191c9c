/** Writes to the graph outside a commit: rebuilds from the journal, and `last_accessed` after reads. */
import type { GraphWriter } from '../../../ports/graph.js';
import { requireKnownEvents } from '../../../ports/known-events.js';
import { procedure, type SqliteHost } from '../threads/host.js';
import { applyEvents } from './applying/apply-events.js';
import { clearDeletedHub } from './applying/delete-associations.js';
import { withGraphErrors } from './graph-errors.js';
import { type RecordedAccess, reportRecordedAccess } from './recorded-accesses.js';

export function createSqliteGraphWriter({
  host,
}: {
  readonly host: Pick<SqliteHost, 'write' | 'writeDerived'>;
}): GraphWriter {
  return {
    apply: async (events) => {
      requireKnownEvents(events);
      await withGraphErrors(host.write(applyEvents, events));
    },
    clearHub: () => withGraphErrors(host.write(clearDeletedHub, null)),
    recordAccess: async (ids, at) => {
      await withGraphErrors(host.writeDerived(recordAccesses, { ids, at }));
      reportRecordedAccess(host, { ids, at });
    },
  };
}

export const recordAccesses = procedure(
  import.meta.url,
  'recordAccesses',
  (database, { ids, at }: RecordedAccess): void => {
    database.run(
      'UPDATE memories SET last_accessed = ?1 WHERE id IN (SELECT value FROM json_each(?2)) AND present = 1 AND last_accessed < ?1',
      [at, JSON.stringify(ids)],
    );
  },
);
