/**
 * What a decision is: a pure function of state, command and facts that makes events. It refuses by throwing an error of the tree in
 * `shared/kernel/errors.ts`. Everything that is not the same twice (time, ids, who asks) is in the facts, fixed beforehand.
 */
import type { SuppliedVector } from '../shared/commit/committer.js';
import type { Envelope } from '../shared/contract/envelope.js';
import type { EventBody, NewEvent } from '../shared/contract/events.js';
import { SCHEMA_VERSIONS } from '../shared/contract/events.js';
import { ENVELOPE_LIMIT_BYTES } from '../shared/contract/limits.js';
import type { MemoryId, Timestamp } from '../shared/contract/memory.js';
import { ValidationError } from '../shared/kernel/errors.js';

export type Decision = {
  /** None: nothing changes and nothing is committed. */
  readonly events: readonly NewEvent[];
  readonly requires: readonly MemoryId[];
  readonly vectors: readonly SuppliedVector[];
};

export const NOTHING_CHANGES: Decision = { events: [], requires: [], vectors: [] };

export type Facts = Pick<Envelope, 'actor' | 'correlationId' | 'traceparent'> & {
  readonly now: Timestamp;
  /** The event that the command answers to; of a caller's commands there is none. */
  readonly causationId?: string;
  /** Fresh UUIDs, one for each event that may be made. */
  readonly eventIds: readonly string[];
};

type EventOf<B> = B extends EventBody ? B & Pick<Envelope, 'subject' | 'partitionKey' | 'version' | 'revision'> : never;

/** Event `index` of a decision. Refuses one that would not fit the stream. */
export function newEvent(facts: Facts, index: number, event: EventOf<EventBody>): NewEvent {
  const id = facts.eventIds[index];
  if (id === undefined)
    throw new Error(`A decision makes event ${index} and was given ${facts.eventIds.length} event ids.`);
  const { actor, correlationId, traceparent, now, causationId = null } = facts;
  const made: NewEvent = {
    ...event,
    id,
    schemaVersion: SCHEMA_VERSIONS[event.type],
    time: now,
    actor,
    correlationId,
    causationId,
    traceparent,
    tenant: null,
  };
  const bytes = Buffer.byteLength(JSON.stringify(made));
  if (bytes > ENVELOPE_LIMIT_BYTES) {
    throw new ValidationError(
      `The change is too large to be kept: ${bytes} bytes as an event, at most ${ENVELOPE_LIMIT_BYTES}. Shorten content, tags or metadata.`,
    );
  }
  return made;
}
