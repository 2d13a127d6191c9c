/**
 * The frames of the live stream as they are on the wire. Watchers of long standing read `data` and know no event names, so the type of a
 * frame is in its data; only what is journalled has an id, which is its position.
 */
import { toCloudEvent } from '../../shared/contract/cloud-event.js';
import type { RecordedEvent, Watched } from '../../shared/contract/events.js';

export function eventFrame(event: RecordedEvent): string {
  return `id: ${event.position}\n${frameOf({ type: event.type, timestamp: event.time, data: toCloudEvent(event) })}`;
}

export function activityFrame({ type, at, data }: Omit<Watched, 'kind'>): string {
  return frameOf({ type, timestamp: at, data });
}

/** For people and for proxies; clients pass over it. */
export function comment(text: string): string {
  return `: ${text}\n\n`;
}

/** JSON has no line breaks of its own, so one line holds it. */
function frameOf(content: { readonly type: string; readonly timestamp: string; readonly data: object }): string {
  return `data: ${JSON.stringify(content)}\n\n`;
}
