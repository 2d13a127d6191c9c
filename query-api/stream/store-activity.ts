/** What watchers of long standing expect to hear of a store, made of its event, so that it needs no way of its own through the stream. */
import type { RecordedEvent, Watched } from '../../shared/contract/events.js';

const PREVIEW_CHARACTERS = 100;
const TAGS_SHOWN = 5;

/** Null for every other event. `elapsed_ms` runs from the decision to `seenAt`, by two clocks where they are two machines. */
export function storeActivity(event: RecordedEvent, seenAt: Date): Omit<Watched, 'kind'> | null {
  if (event.type !== 'memory.stored' || event.data === null) return null;
  const { id, content, type, importance, tags } = event.data.memory;
  return {
    type: 'memory.store',
    at: event.time,
    data: {
      id,
      content_preview: [...content].slice(0, PREVIEW_CHARACTERS).join(''),
      type,
      importance,
      tags: tags.slice(0, TAGS_SHOWN),
      size_bytes: Buffer.byteLength(content),
      elapsed_ms: Math.max(0, seenAt.getTime() - Date.parse(event.time)),
    },
  };
}
