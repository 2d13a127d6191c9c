/** One version of a memory as its history shows it, pure: the envelope always, the words unless they were erased. */
import type { RecordedEvent } from '../../shared/contract/events.js';

export function historyVersion(event: RecordedEvent) {
  const { data } = event;
  return {
    version: event.version,
    revision: event.revision,
    type: event.type,
    event_id: event.id,
    position: event.position,
    time: event.time,
    actor: event.actor,
    request_id: event.correlationId,
    causation_id: event.causationId,
    changed: data === null ? null : 'changed' in data ? data.changed : [],
    memory: data !== null && 'memory' in data ? data.memory : null,
    erased: data === null,
  };
}
