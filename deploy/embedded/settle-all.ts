/** Settles projectors that react: what they have written is to be projected as well, until nothing new comes of it. */
import type { JournalReader } from '../../shared/journal/journal.js';

/** Enrichment makes events that make no further ones; beyond it, somebody else keeps writing. */
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
