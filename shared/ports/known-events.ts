/**
 * Separates the events that this release knows from those that only a newer release knows. During a rolling upgrade
 * both releases write to one journal, and the newer one may write types and schema versions that this one cannot read.
 */
import { type RecordedEvent, SCHEMA_VERSIONS } from '../contract/events.js';
import { type Dependency, DependencyError } from '../kernel/errors.js';

export function isKnownEvent({ type, schemaVersion }: RecordedEvent): boolean {
  return Object.hasOwn(SCHEMA_VERSIONS, type) && schemaVersion <= SCHEMA_VERSIONS[type];
}

/** The wait between two attempts at an event that this release does not know. */
const RETRY_SECONDS = 10;

/** Retryable: the event waits until a process of a newer release handles it. `processes`: those to upgrade. */
export function unknownEventError(
  { type, schemaVersion, position }: RecordedEvent,
  { dependency, processes }: { readonly dependency: Dependency; readonly processes: string },
): DependencyError {
  return new DependencyError(
    dependency,
    `This release does not know the event ${type} (schema ${schemaVersion}) at position ${position}: start a newer release of ${processes}`,
    { isReachable: true, retryAfterSeconds: RETRY_SECONDS },
  );
}

/**
 * For writers of the graph: a state that is half understood would keep its version, and no later delivery repairs it.
 */
export function requireKnownEvents(events: readonly RecordedEvent[]): void {
  const unknown = events.find((event) => !isKnownEvent(event));
  if (unknown) throw unknownEventError(unknown, { dependency: 'graph', processes: 'this process' });
}
