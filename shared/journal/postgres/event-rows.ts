/** Journal rows: what `append_events` takes, and the columns that `recordedEvent` reads. Shared by the journal, the outbox and the committer. */
import type { NewEvent } from '../../contract/events.js';
import { statement } from '../../postgres/postgres.js';
import { journalMigrations } from './migrations.js';

export const EVENT_COLUMNS =
  'position, event_id, type, schema_version, subject, partition_key, version, revision, time, actor, correlation_id, causation_id, traceparent, tenant, data';

/** The events (`eventsToAppend`), the owner of their commands and its lease in ms. The last statement before COMMIT. */
export const APPEND = statement(
  journalMigrations,
  'append',
  'SELECT position FROM append_events($1, $2, $3) AS position',
);

/** `dataText`: its data as JSON, where that was made before; null when the same commit erases it. */
export type EventToAppend = { readonly event: NewEvent; readonly commandId: string; readonly dataText?: string | null };

export function eventsToAppend(events: readonly EventToAppend[]): string {
  return JSON.stringify(
    events.map(({ event, commandId, dataText = JSON.stringify(event.data) }) => ({
      event_id: event.id,
      type: event.type,
      schema_version: event.schemaVersion,
      subject: event.subject,
      partition_key: event.partitionKey,
      version: event.version,
      revision: event.revision,
      time: event.time,
      actor: JSON.stringify(event.actor),
      correlation_id: event.correlationId,
      causation_id: event.causationId,
      traceparent: event.traceparent,
      tenant: event.tenant,
      data: dataText,
      command_id: commandId,
    })),
  );
}
