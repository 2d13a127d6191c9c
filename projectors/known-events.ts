/** Separates the events that this release knows from the first one that only a newer release knows. */
import { type RecordedEvent, SCHEMA_VERSIONS } from '../shared/contract/events.js';
import { DependencyError } from '../shared/kernel/errors.js';

/** The wait between two deliveries of an event that this release does not know. */
const RETRY_SECONDS = 10;

/** A newer release of the command API may write types and schema versions that this release does not know. */
export function knownEvents(events: readonly RecordedEvent[]): {
  /** The events before the unknown one. */
  readonly known: readonly RecordedEvent[];
  readonly unknown: RecordedEvent | undefined;
} {
  const at = events.findIndex((event) => !isKnown(event));
  return at === -1 ? { known: events, unknown: undefined } : { known: events.slice(0, at), unknown: events[at] };
}

/** Retryable: the event waits until a newer release of the projectors runs. Passing it would leave the projection wrong after the upgrade. */
export function unknownEventError({ type, schemaVersion, position }: RecordedEvent): DependencyError {
  return new DependencyError(
    'stream',
    `This release does not know the event ${type} (schema ${schemaVersion}) at position ${position}: start a newer release of the projectors`,
    { retryAfterSeconds: RETRY_SECONDS },
  );
}

function isKnown({ type, schemaVersion }: RecordedEvent): boolean {
  return Object.hasOwn(SCHEMA_VERSIONS, type) && schemaVersion <= SCHEMA_VERSIONS[type];
}
