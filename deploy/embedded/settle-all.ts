/** Settles projectors that write events: repeats until the events that they wrote are projected too, and the journal has no new ones. */
import type { JournalReader } from '../../shared/journal/journal.js';

/** The events of enrichment lead to no further events, so after this many rounds another writer must be active. */
const ROUNDS_LIMIT = 5;

export async function settleAll({
  journal,
  settle,
}: {
  readonly journal: Pick<JournalReader, 'head'>;
  readonly settle: () => Promise<void>;
}): Promise<void> {
  for (let round = 0; round < ROUNDS_LIMIT; round += 1) {
    const head = await journal.head();
    await settle();
    if ((await journal.head()) === head) return;
  }
}
