/** The activity that existing clients expect for a stored memory. It is made from the event, so it needs no separate message in the stream. */
import type { RecordedEvent, Watched } from '../../shared/contract/events.js';

const PREVIEW_CHARACTERS = 100;
const TAGS_SHOWN = 5;

/** Null for every other event. `elapsed_ms` is the time from the decision to `seenAt`; these may be the clocks of two machines. */
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
