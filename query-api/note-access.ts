/** Publishes which memories were read, after the response was sent: a read never writes during its own request. */
import type { MemoryId } from '../shared/contract/memory.js';
import { type Clock, formatTimestamp } from '../shared/kernel/clock.js';
import type { EventPublisher } from '../shared/ports/stream.js';

/** Returns the function to call after the response. */
export type NoteAccess = (ids: readonly MemoryId[]) => () => void;

export function createNoteAccess(publisher: Pick<EventPublisher, 'notify'>, clock: Clock): NoteAccess {
  return (ids) => () => {
    if (ids.length > 0) publisher.notify({ kind: 'recalled', ids, at: formatTimestamp(clock.now()) });
  };
}
