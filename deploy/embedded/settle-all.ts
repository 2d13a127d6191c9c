/**
 * Settles projectors that write events: repeats until the events that they wrote are projected too, and the journal has
 * no new ones.
 */
import type { JournalReader } from '../../shared/ports/journal.js';

/** Enrichment and patterns lead to a few events each. On a busy machine they come in many small batches. */
const ROUNDS_LIMIT = 100;

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
  throw new Error(`The journal still grows after ${ROUNDS_LIMIT} rounds: another writer is active`);
}
