import type { RecordedEvent } from '../../shared/contract/events.js';

/** Each event once, where it came first. */
export function firstAppearances(published: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const seen = new Set<string>();
  return published.filter(({ id }) => !seen.has(id) && seen.add(id));
}
