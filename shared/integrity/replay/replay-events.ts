/** Applies the events between two positions to the graph again, in order. */
import type { JournalReader } from '../../ports/journal.js';
import type { OutboxReader } from '../../ports/outbox.js';
import type { ReplayedGraph } from './replayed-graph.js';
import { withoutUnapplied } from './without-unapplied.js';

/** Each event may have 900 KB, and two pages are in the process at a time. */
export const REPLAY_PAGE = 200;

export type EventReplay = {
  readonly journal: Pick<JournalReader, 'read'>;
  /** Which of these events the committer applies itself: they are left out. Absent where no event is ever pending. */
  readonly unapplied?: OutboxReader['unapplied'] | undefined;
  readonly graph: Pick<ReplayedGraph, 'apply'>;
  readonly onApplied: (events: number) => Promise<void>;
  readonly signal: AbortSignal;
};

export async function replayEvents(
  { journal, unapplied, graph, onApplied, signal }: EventReplay,
  { after, through }: { readonly after: number; readonly through: number },
): Promise<void> {
  for (let position = after; ;) {
    signal.throwIfAborted();
    const page = await journal.read({ after: position, through, limit: REPLAY_PAGE });
    const last = page.at(-1);
    if (last === undefined) return;
    const events = await withoutUnapplied(page, unapplied);
    if (events.length > 0) await graph.apply(events);
    await onApplied(events.length);
    position = last.position;
  }
}
