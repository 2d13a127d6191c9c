/**
 * Journal rows: the arguments of `append_events`, and the columns that `recordedEvent` reads. The journal, outbox,
 * committer and loader share them.
 */
import type { Envelope } from '../../../contract/envelope.js';
import type { NewEvent } from '../../../contract/events.js';
import type { EventAddress } from '../../../ports/outbox.js';
import { statement } from '../connection/postgres.js';
import { journalMigrations } from '../schema/journal.js';

export const EVENT_COLUMNS =
  'position, event_id, type, schema_version, subject, partition_key, version, revision, time, actor, correlation_id, causation_id, traceparent, tenant, data';

/**
 * Parameters: the events (`eventsToAppend`), the owner of their commands, and its lease in ms. Must be the last
 * statement before COMMIT.
 */
export const APPEND = statement(
  journalMigrations,
  'append',
  'SELECT position FROM append_events($1, $2, $3) AS position',
);

/** `dataText` is the event's data as JSON, if the caller has it already; null when the same commit erases the data. */
export type EventToAppend = { readonly event: NewEvent; readonly commandId: string; readonly dataText?: string | null };

export function eventsToAppend(events: readonly EventToAppend[]): string {
  return JSON.stringify(
    events.map(({ event, commandId, dataText = JSON.stringify(event.data) }) => ({
      ...eventRow(event, dataText),
      command_id: commandId,
    })),
  );
}

/** Two parameters for statements that change only rows of these events. */
export function positionsAndIds(
  events: readonly EventAddress[],
): readonly [positions: readonly number[], ids: readonly string[]] {
  return [events.map(({ position }) => position), events.map(({ id }) => id)];
}

/**
 * The columns of an event without its position, for a parameter that is JSON. `data` and `actor` are JSON inside a JSON
 * string.
 */
export function eventRow(event: Envelope, dataText: string | null) {
  return {
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
  };
}
