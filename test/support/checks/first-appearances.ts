import type { RecordedEvent } from '../../../shared/contract/events.js';

/** Returns each event once, at its first appearance. */
export function firstAppearances(published: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const seen = new Set<string>();
  return published.filter(({ id }) => !seen.has(id) && seen.add(id));
}
