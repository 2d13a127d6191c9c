/** Reads an event back from its form in Kafka, CloudEvents 1.0 in structured JSON. */
import type { CloudEvent, RecordedEvent } from '../../contract/events.js';
import { PoisonError } from '../../kernel/errors.js';

export const CLOUD_EVENT_CONTENT_TYPE = 'application/cloudevents+json; charset=UTF-8';

/**
 * Throws PoisonError for a text that our relay did not write. An event of an unknown type is accepted: projectors wait
 * at it until a newer release runs.
 */
export function fromCloudEvent(text: string): RecordedEvent {
  const event = parse(text);
  const problem = problemOf(event);
  if (problem !== null) throw new PoisonError(`Not an event of ours: ${problem}`);
  const {
    actoragent: agent = null,
    causationid: causationId = null,
    traceparent = null,
    tenant = null,
    data = null,
  } = event;
  // The relay wrote `type` and `data` together, so they match.
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

const TEXTS = [
  'id',
  'type',
  'subject',
  'time',
  'partitionkey',
  'actorname',
  'actortier',
  'correlationid',
] as const satisfies readonly (keyof CloudEvent)[];
const OPTIONAL_TEXTS = [
  'actoragent',
  'causationid',
  'traceparent',
  'tenant',
] as const satisfies readonly (keyof CloudEvent)[];
const NUMBERS = ['position', 'version', 'revision', 'schemaversion'] as const satisfies readonly (keyof CloudEvent)[];

/** The result is a CloudEvent only if `problemOf` returns null for it. */
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
  for (const name of TEXTS) if (typeof event[name] !== 'string') return `${name} is not a text`;
  for (const name of OPTIONAL_TEXTS)
    if (!['string', 'undefined'].includes(typeof event[name])) return `${name} is not a text`;
  for (const name of NUMBERS) if (!Number.isSafeInteger(event[name])) return `${name} is not a whole number`;
  return typeof (event.data ?? {}) === 'object' ? null : 'data is not an object';
}
