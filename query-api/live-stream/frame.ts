/**
 * The frames of the live stream in their wire format. Existing clients read only `data` and no event names, so the type
 * of a frame is in its data. Only journalled events have an id, the cursor of their position.
 */
import { type RecordedEvent, toCloudEvent, type Watched } from '../../shared/contract/events.js';

export function eventFrame(event: RecordedEvent): string {
  return frameOf({ type: event.type, timestamp: event.time, data: toCloudEvent(event) });
}

export function withId(id: string, frame: string): string {
  return `id: ${id}\n${frame}`;
}

export function activityFrame({ type, at, data }: Omit<Watched, 'kind'>): string {
  return frameOf({ type, timestamp: at, data });
}

/** A comment for people and proxies; clients ignore it. */
export function comment(text: string): string {
  return `: ${text}\n\n`;
}

/** Serialized JSON has no line breaks, so it fits one line. */
function frameOf(content: { readonly type: string; readonly timestamp: string; readonly data: object }): string {
  return `data: ${JSON.stringify(content)}\n\n`;
}
