/** Checks a command against the current state of its subjects, before anything is written for it. */
import type { NewEvent } from '../../contract/events.js';
import type { MemoryId } from '../../contract/memory.js';
import type { Command, Outcome } from '../../ports/committer.js';

export type Refusal = Extract<Outcome, { kind: 'conflict' | 'absent' }>;
export type SubjectState = { readonly version: number; readonly isPresent: boolean };

/** A subject without any event. */
export const UNKNOWN_SUBJECT: SubjectState = { version: 0, isPresent: false };

/** Null when the command may be recorded. */
export function refusalOf(command: Command, known: (subject: string) => SubjectState): Refusal | null {
  /** The state of a subject after the command's own earlier events. */
  const changed = new Map<string, SubjectState>();
  const stateOf = (subject: string): SubjectState => changed.get(subject) ?? known(subject);

  const missing = command.requires.find((memoryId) => !stateOf(memoryId).isPresent);
  if (missing !== undefined) return { kind: 'absent', memoryId: missing };

  const moved = command.unchanged?.find(({ subject, version }) => stateOf(subject).version !== version);
  if (moved !== undefined) return { kind: 'conflict', subject: moved.subject, version: stateOf(moved.subject).version };

  for (const event of command.events) {
    const absent = requiredMemories(event).find((memoryId) => !stateOf(memoryId).isPresent);
    if (absent !== undefined && event.type.startsWith('association.')) return { kind: 'absent', memoryId: absent };
    const { version } = stateOf(event.subject);
    if (version !== event.version - 1) return { kind: 'conflict', subject: event.subject, version };
    if (absent !== undefined) return { kind: 'absent', memoryId: absent };
    changed.set(event.subject, stateAfter(event));
  }
  return null;
}

export function stateAfter({ type, version }: NewEvent): SubjectState {
  return { version, isPresent: type !== 'memory.deleted' };
}

/** The memories that must be present for this event. */
export function requiredMemories(event: NewEvent): readonly MemoryId[] {
  switch (event.type) {
    case 'memory.stored':
    case 'entity.merged':
    case 'entity.updated':
    case 'key.created':
    case 'key.rotated':
    case 'key.revoked':
      return [];
    case 'memory.updated':
    case 'memory.enriched':
    case 'memory.enrichment.requested':
    case 'memory.enrichment.failed':
    case 'memory.relevance.changed':
    case 'memory.archived':
    case 'memory.restored':
    case 'memory.cluster.changed':
    case 'memory.deleted':
      // The subject of a memory's event is its id.
      return [event.subject as MemoryId];
    case 'association.created':
    case 'association.updated':
      return [event.data.association.source, event.data.association.target];
    default:
      return event satisfies never;
  }
}
