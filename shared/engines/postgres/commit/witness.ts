/**
 * The newest event that this process knows to be in the journal: its own last one, or the one that the graph shows. The
 * append fails when the journal lacks it, so nothing is appended to a journal that went back: to a promoted standby
 * that lagged, or to a restored backup.
 */
import type { EventMark } from '../../../contract/envelope.js';
import type { Witness } from '../../../ports/journal-identity.js';

export function createWitness(): Witness {
  let newest: EventMark | null = null;
  let history: string | null = null;
  return {
    event: () => newest && { ...newest, journalId: history },
    saw: ({ position, eventId }, journalId) => {
      history ??= journalId ?? null;
      if (newest === null || position > newest.position) newest = { position, eventId };
    },
  };
}
