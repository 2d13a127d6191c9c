/**
 * Leaves out the events that the graph lacks and that the committer applies itself: pending ones, and dead letters of
 * the commit.
 */
import type { RecordedEvent } from '../../contract/events.js';
import type { OutboxReader } from '../../ports/outbox.js';

/** `unapplied`: absent where no event is ever pending. */
export async function withoutUnapplied(
  events: readonly RecordedEvent[],
  unapplied: OutboxReader['unapplied'] | undefined,
): Promise<readonly RecordedEvent[]> {
  if (unapplied === undefined || events.length === 0) return events;
  const lacking = await unapplied(events.map(({ position }) => position));
  return lacking.size === 0 ? events : events.filter(({ position }) => !lacking.has(position));
}
