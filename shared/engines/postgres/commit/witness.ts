/**
 * The newest event that this process knows to be in the journal: its own last one, or the one that the graph shows. The
 * append fails when the journal lacks it, so nothing is appended to a journal that went back: to a promoted standby
 * that lagged, or to a restored backup.
 */
import type { EventMark } from '../../../contract/envelope.js';

export interface Witness {
  /** Null before the first event. */
  event(): EventMark | null;
  /** The journal has this event. A position below the known one changes nothing. */
  saw(event: EventMark): void;
}

export function createWitness(): Witness {
  let newest: EventMark | null = null;
  return {
    event: () => newest,
    saw: ({ position, eventId }) => {
      if (newest === null || position > newest.position) newest = { position, eventId };
    },
  };
}
