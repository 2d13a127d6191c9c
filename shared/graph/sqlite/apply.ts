/** Makes the graph show an event. The committer calls `applyEvent` inside its own transaction; the graph writer and rebuilds call the procedure. */
import type { RecordedEvent } from '../../contract/events.js';
import type { Database } from '../../sqlite/database.js';
import { procedure } from '../../sqlite/host.js';
import { applyAssociation } from './apply-association.js';
import { applyDerived } from './apply-derived.js';
import { forgetMemory, showMemory } from './apply-memory.js';

export const applyEvents = procedure(
  import.meta.url,
  'applyEvents',
  (database, events: readonly RecordedEvent[]): void => {
    for (const event of events) applyEvent(database, event);
  },
);

/** Idempotent and guarded by versions, as GraphWriter.apply promises. An erased event has nothing to show and is passed over. */
export function applyEvent(database: Database, event: RecordedEvent): void {
  switch (event.type) {
    case 'memory.stored':
    case 'memory.updated':
    case 'memory.enrichment.requested':
    case 'memory.enrichment.failed':
      if (event.data) showMemory(database, { ...event.data, version: event.version, revision: event.revision });
      return;
    case 'memory.enriched': {
      if (!event.data) return;
      showMemory(database, { ...event.data, version: event.version, revision: event.revision });
      return applyDerived(database, {
        id: event.subject,
        version: event.version,
        at: event.time,
        set: event.data.derived,
      });
    }
    case 'memory.deleted':
      // A deletion needs no words, so it holds even when it was erased.
      return forgetMemory(database, { id: event.subject, version: event.version, revision: event.revision });
    case 'association.created':
    case 'association.updated':
      if (event.data)
        applyAssociation(database, { ...event.data.association, version: event.version, revision: event.revision });
      return;
    default:
      return event satisfies never;
  }
}
