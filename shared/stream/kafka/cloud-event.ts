/**
 * An event as it stands in Kafka: CloudEvents 1.0 in structured JSON. What others read is named here once and never renamed. CloudEvents
 * allows only lower-case letters and digits in names of attributes, and no attribute that is null.
 */
import type { RecordedEvent } from '../../contract/events.js';
import { PoisonError } from '../../kernel/errors.js';

export const CLOUD_EVENT_CONTENT_TYPE = 'application/cloudevents+json; charset=UTF-8';
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
  /** Left out once the words of the event have been erased. */
  readonly data?: object;
  /** Where the event stands in the journal. Grows over all events, not without gaps. */
  readonly position: number;
  /** Counts every event of the subject, from 1. */
  readonly version: number;
  readonly revision: number;
  /** The version of the schema of `data`. */
  readonly schemaversion: number;
  readonly partitionkey: string;
  readonly actorname: string;
  readonly actortier: string;
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

/** Throws PoisonError for what no relay of ours has written. An event of an unknown type passes: whoever does not handle it ignores it. */
export function fromCloudEvent(text: string): RecordedEvent {
  const event = parse(text);
  const problem = problemOf(event);
  if (problem !== null) throw new PoisonError(`Not an event of ours: ${problem}`);
  const { actoragent: agent = null, causationid: causationId = null, traceparent = null, tenant = null, data = null } = event;
  // `type` and `data` belong together as they did when they were written.
  return {
    id: event.id,
    type: event.type,
    schemaVersion: event.schemaversion,
    subject: event.subject,
    partitionKey: event.partitionkey,
    version: event.version,
    revision: event.revision,
    time: event.time,
    actor: { name: event.actorname, tier: event.actortier, agent },
    correlationId: event.correlationid,
    causationId,
    traceparent,
    tenant,
    data,
    position: event.position,
  } as RecordedEvent;
}

const TEXTS = ['id', 'type', 'subject', 'time', 'partitionkey', 'actorname', 'actortier', 'correlationid'] as const satisfies readonly (keyof CloudEvent)[];
const OPTIONAL_TEXTS = ['actoragent', 'causationid', 'traceparent', 'tenant'] as const satisfies readonly (keyof CloudEvent)[];
const NUMBERS = ['position', 'version', 'revision', 'schemaversion'] as const satisfies readonly (keyof CloudEvent)[];

/** A CloudEvent as far as `problemOf` finds nothing wrong with it. */
function parse(text: string): CloudEvent {
  try {
    const value: unknown = JSON.parse(text);
    return (typeof value === 'object' && value !== null ? value : {}) as CloudEvent;
  } catch (error) {
    throw new PoisonError(`Not an event of ours: ${(error as Error).message}`);
  }
}

function problemOf(event: CloudEvent): string | null {
  if (event.specversion !== '1.0') return 'specversion is not 1.0';
  for (const name of TEXTS) if (typeof event[name] !== 'string') return `${name} is no text`;
  for (const name of OPTIONAL_TEXTS) if (!['string', 'undefined'].includes(typeof event[name])) return `${name} is no text`;
  for (const name of NUMBERS) if (!Number.isSafeInteger(event[name])) return `${name} is no whole number`;
  return typeof (event.data ?? {}) === 'object' ? null : 'data is no object';
}
