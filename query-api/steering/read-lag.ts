/** How far behind the journal a projector is, in events and in seconds. */
import type { JournalReader } from '../../shared/journal/journal.js';

export type Lag = { readonly events: number; readonly seconds: number };

/** `seconds`: for how long the oldest event behind the position has been in the journal. Positions may have gaps, so `events` is an upper bound. */
export async function readLag(
  journal: Pick<JournalReader, 'read'>,
  {
    position,
    head,
    now,
  }: {
    readonly position: number;
    readonly head: number;
    readonly now: Date;
  },
): Promise<Lag> {
  if (position >= head) return { events: 0, seconds: 0 };
  const [oldest] = await journal.read({ after: position, limit: 1 });
  const waitedMs = oldest === undefined ? 0 : now.getTime() - Date.parse(oldest.time);
  return { events: head - position, seconds: Math.max(0, Math.round(waitedMs / 100) / 10) };
}
