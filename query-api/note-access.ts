/** Tells whoever listens which memories were read, once the answer has left: reads never write on their own path. */
import type { MemoryId } from '../shared/contract/memory.js';
import { formatTimestamp, type Clock } from '../shared/kernel/clock.js';
import type { EventPublisher } from '../shared/stream/stream.js';

/** Gives what to call after the answer. */
export type NoteAccess = (ids: readonly MemoryId[]) => () => void;

export function createNoteAccess(publisher: Pick<EventPublisher, 'notify'>, clock: Clock): NoteAccess {
  return (ids) => () => {
    if (ids.length > 0) publisher.notify({ kind: 'recalled', ids, at: formatTimestamp(clock.now()) });
  };
}
