/**
 * An event as other systems read it, in Kafka and over HTTP: CloudEvents 1.0 in structured JSON. A name that is in use
 * here never changes. CloudEvents allows only lower-case letters and digits in attribute names, and no attribute that
 * is null.
 */
import type { RecordedEvent } from './events.js';

export const CLOUD_EVENT_SOURCE = '/palimpsest';

export type CloudEvent = {
  readonly specversion: '1.0';
  readonly id: string;
  readonly source: typeof CLOUD_EVENT_SOURCE;
  readonly type: RecordedEvent['type'];
  readonly subject: string;
  /** RFC 3339. */
  readonly time: string;
  readonly datacontenttype: 'application/json';
  /** Absent once the content of the event is erased. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** The position in the journal. Increases over all events, with gaps. */
  readonly position: number;
  /** Counts every event of the subject, from 1. */
  readonly version: number;
  readonly revision: number;
  /** The version of the schema of `data`. */
  readonly schemaversion: number;
  readonly partitionkey: string;
  readonly actorname: string;
  readonly actortier: RecordedEvent['actor']['tier'];
  readonly actoragent?: string;
  readonly correlationid: string;
  readonly causationid?: string;
  readonly traceparent?: string;
  readonly tenant?: string;
};

export function toCloudEvent(event: RecordedEvent): CloudEvent {
  const { actor, causationId, traceparent, tenant, data } = event;
  return {
    specversion: '1.0',
    id: event.id,
    source: CLOUD_EVENT_SOURCE,
    type: event.type,
    subject: event.subject,
    time: event.time,
    datacontenttype: 'application/json',
    position: event.position,
    version: event.version,
    revision: event.revision,
    schemaversion: event.schemaVersion,
    partitionkey: event.partitionKey,
    actorname: actor.name,
    actortier: actor.tier,
    ...(actor.agent === null ? {} : { actoragent: actor.agent }),
    correlationid: event.correlationId,
    ...(causationId === null ? {} : { causationid: causationId }),
    ...(traceparent === null ? {} : { traceparent }),
    ...(tenant === null ? {} : { tenant }),
    ...(data === null ? {} : { data }),
  };
}
