/**
 * A decision is a pure function of state, command and facts; it returns events, or refuses by throwing an error of
 * `shared/kernel/errors.ts`. Everything that differs between two runs (time, ids, caller) is passed in as facts.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Envelope } from '../shared/contract/envelope.js';
import { type EventBody, type NewEvent, SCHEMA_VERSIONS } from '../shared/contract/events.js';
import { ENVELOPE_LIMIT_BYTES } from '../shared/contract/limits.js';
import type { Memory, MemoryId, Timestamp } from '../shared/contract/memory.js';
import type { RequestContext } from '../shared/http/handler.js';
import { NotFoundError, PreconditionError, ValidationError } from '../shared/kernel/errors.js';
import { jsonBytesAtMost } from '../shared/kernel/json-size.js';
import type { Command, SuppliedVector } from '../shared/ports/committer.js';
import type { GraphReader, LoadedMemory } from '../shared/ports/graph.js';
import { isWithin } from '../shared/text/tags.js';

export type Decision = {
  /** Empty: nothing changes and nothing is committed. */
  readonly events: readonly NewEvent[];
  readonly requires: readonly MemoryId[];
  /** Subjects that it read: another version of one is a conflict. */
  readonly unchanged?: NonNullable<Command['unchanged']>;
  /** Subjects of the events whose earlier data is erased. */
  readonly erases?: readonly string[];
  readonly vectors: readonly SuppliedVector[];
};

export const NOTHING_CHANGES: Decision = { events: [], requires: [], vectors: [] };

export type Facts = Pick<Envelope, 'actor' | 'correlationId' | 'traceparent'> & {
  readonly now: Timestamp;
  /** The event that caused the command; absent for a caller's command. */
  readonly causationId?: string;
  /** New UUIDs, one for each event that the decision may create. */
  readonly eventIds: readonly string[];
};

type EventOf<B> = B extends EventBody ? B & Pick<Envelope, 'subject' | 'partitionKey' | 'version' | 'revision'> : never;

/** Creates event `index` of a decision. Refuses an event that is too large for the stream. */
export function newEvent(facts: Facts, index: number, event: EventOf<EventBody>): NewEvent {
  const id = facts.eventIds[index];
  if (id === undefined)
    throw new Error(`A decision creates event ${index} but has only ${facts.eventIds.length} event ids.`);
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
  const bytes = sizeAbove(ENVELOPE_LIMIT_BYTES, made);
  if (bytes !== null) {
    throw new ValidationError(
      `The change is too large: its event has ${bytes} bytes, at most ${ENVELOPE_LIMIT_BYTES} are allowed. Shorten content, tags or metadata.`,
    );
  }
  return made;
}

/** The next version of the memory. The revision rises only when a caller changes something. */
export function memoryEvent(
  { facts, loaded: { memory, version, revision }, index = 0, isByCaller = false }: NextVersion,
  body: EventBody,
): NewEvent {
  return newEvent(facts, index, {
    ...body,
    subject: memory.id,
    partitionKey: memory.id,
    version: version + 1,
    revision: revision + (isByCaller ? 1 : 0),
  });
}

type NextVersion = {
  readonly facts: Facts;
  readonly loaded: Omit<LoadedMemory, 'vectorRef' | 'position'>;
  readonly index?: number;
  readonly isByCaller?: boolean;
};

/** A decision with one event. `requires`: memories that must exist. */
export function oneEvent(event: NewEvent, requires: readonly MemoryId[] = []): Decision {
  return { events: [event], requires, vectors: [] };
}

/** The bytes of the event as JSON if they exceed the limit; null otherwise. */
function sizeAbove(limitBytes: number, event: NewEvent): number | null {
  if (jsonBytesAtMost(event) <= limitBytes) return null;
  const bytes = Buffer.byteLength(JSON.stringify(event));
  return bytes > limitBytes ? bytes : null;
}

/** Returns the names of the properties with different values, for the `changed` list of an event. */
export function changedProperties(before: Memory, after: Memory): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof Memory>;
  return [...names].filter((name) => !isDeepStrictEqual(before[name], after[name]));
}

/** A message repeats no more of a long list. */
const SHOWN_REVISIONS = 3;

/** The present memories among `ids` that the caller sees, for a decision. Another one is as one that does not exist. */
export async function readVisible(
  graph: Pick<GraphReader, 'memories'>,
  ids: readonly MemoryId[],
  { tag }: Pick<RequestContext, 'tag'>,
): Promise<readonly LoadedMemory[]> {
  return (await graph.memories(ids)).filter(({ memory }) => isWithin(memory, tag));
}

export type IfMatch = Pick<RequestContext, 'ifMatch'>;

export function requirePresent(loaded: LoadedMemory | undefined, { ifMatch }: IfMatch): LoadedMemory {
  if (!loaded) throw new NotFoundError('Memory not found');
  if (ifMatch !== null && ifMatch !== '*' && !ifMatch.includes(loaded.revision)) {
    throw new PreconditionError(
      `The memory is at revision ${loaded.revision}, not ${ifMatch.slice(0, SHOWN_REVISIONS).join(' or ')}: read it again and decide whether your change still holds`,
      loaded.revision,
    );
  }
  return loaded;
}
