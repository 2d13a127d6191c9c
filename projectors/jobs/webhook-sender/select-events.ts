/** Chooses the events of a webhook by its tags. The journal chooses them by type. */
import type { RecordedEvent } from '../../../shared/contract/events.js';
import { isStateEvent } from '../../../shared/contract/events.js';
import { canonicalTag, tagPrefixes } from '../../../shared/text/tags.js';

/**
 * A tag chooses memories with it and with tags below it. A deletion carries no tags and is always chosen; events of
 * associations and entities, and erased states, have no tags and are not.
 */
export function createIsChosen(tags: readonly string[]): (event: RecordedEvent) => boolean {
  const wanted = new Set(tags.map(canonicalTag));
  if (wanted.size === 0) return () => true;
  return (event) => {
    if (event.type === 'memory.deleted') return true;
    if (!isStateEvent(event) || event.data === null) return false;
    return tagPrefixes(event.data.memory.tags).some((prefix) => wanted.has(prefix));
  };
}
