/** Converts a journal row to an event. Both journals have the same column names. */
import type { RecordedEvent } from '../../contract/events.js';

/** The cast is safe because the columns hold the values of the appended event. */
export function recordedEvent(row: Readonly<Record<string, unknown>>): RecordedEvent {
  return {
    position: row['position'],
    id: row['event_id'],
    type: row['type'],
    schemaVersion: row['schema_version'],
    subject: row['subject'],
    partitionKey: row['partition_key'],
    version: row['version'],
    revision: row['revision'],
    time: row['time'],
    actor: JSON.parse(row['actor'] as string),
    correlationId: row['correlation_id'],
    causationId: row['causation_id'],
    traceparent: row['traceparent'],
    tenant: row['tenant'],
    data: row['data'] === null ? null : JSON.parse(row['data'] as string),
  } as RecordedEvent;
}
