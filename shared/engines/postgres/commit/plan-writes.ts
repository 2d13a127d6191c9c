/** Plans the rows that a group's accepted commands write, in the order of their events. Pure. */
import type { NewEvent } from '../../../contract/events.js';
import type { MemoryId } from '../../../contract/memory.js';
import type { SuppliedVector } from '../../../ports/committer.js';
import type { PreparedCommand } from '../../sql/prepare-command.js';
import { stateAfter } from '../../sql/refusal-of.js';
import type { EventToAppend } from '../journal/event-rows.js';

export type SubjectMove = {
  readonly subject: string;
  readonly version: number;
  readonly revision: number;
  readonly present: boolean;
};
export type AssociationEnd = { readonly memory_id: string; readonly subject: string };

export type Writes = {
  /** The state of each changed subject after the group. */
  readonly moves: readonly SubjectMove[];
  readonly ends: readonly AssociationEnd[];
  readonly appends: readonly EventToAppend[];
  readonly vectors: readonly SuppliedVector[];
  /** The deleted memories. */
  readonly erased: readonly MemoryId[];
  /** The other subjects whose earlier data is erased. */
  readonly replaced: readonly string[];
};

export function planWrites(commands: readonly PreparedCommand[]): Writes {
  const moves = new Map<string, SubjectMove>();
  const ends = new Map<string, readonly AssociationEnd[]>();
  const appends: EventToAppend[] = [];
  const erased = new Set<MemoryId>();
  const replaced = new Set<string>();
  let vectors: SuppliedVector[] = [];

  /** Drops what earlier commands of the group write about a memory that a later command deletes. */
  function erase(memoryId: MemoryId): void {
    erased.add(memoryId);
    vectors = vectors.filter((vector) => vector.memoryId !== memoryId);
    for (const [subject, { 0: source, 1: target }] of ends) {
      if (source?.memory_id !== memoryId && target?.memory_id !== memoryId) continue;
      ends.delete(subject);
      const move = moves.get(subject);
      if (move) moves.set(subject, { ...move, present: false });
    }
    for (const [index, append] of appends.entries()) {
      if (isAbout(append.event, memoryId)) appends[index] = { ...append, dataText: null };
    }
  }

  for (const command of commands) {
    for (const subject of command.erases ?? []) {
      replaced.add(subject);
      for (const [index, append] of appends.entries())
        if (append.event.subject === subject) appends[index] = { ...append, dataText: null };
    }
    vectors.push(...command.vectors);
    for (const [index, event] of command.events.entries()) {
      // Before the append, so that the deletion event keeps its own data, which holds no content.
      if (event.type === 'memory.deleted') erase(event.subject as MemoryId);
      appends.push({ event, dataText: command.dataTexts[index] ?? null, commandId: command.id });
      moves.set(event.subject, {
        subject: event.subject,
        version: event.version,
        revision: event.revision,
        present: stateAfter(event).isPresent,
      });
      if (isAssociation(event)) ends.set(event.subject, endsOf(event.subject));
    }
  }
  return {
    moves: [...moves.values()],
    ends: [...ends.values()].flat(),
    appends,
    vectors,
    erased: [...erased],
    replaced: [...replaced],
  };
}

/** An association's subject is `source|TYPE|target`. */
export function endsOf(subject: string): readonly AssociationEnd[] {
  const [source = '', , target = ''] = subject.split('|');
  return [...new Set([source, target])].map((memoryId) => ({ memory_id: memoryId, subject }));
}

function isAbout(event: NewEvent, memoryId: MemoryId): boolean {
  return (
    event.subject === memoryId ||
    (isAssociation(event) && endsOf(event.subject).some((end) => end.memory_id === memoryId))
  );
}

function isAssociation({ type }: NewEvent): boolean {
  return type === 'association.created' || type === 'association.updated';
}
