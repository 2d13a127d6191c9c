/** One page of the feed, out of what the journal holds up to a position. */
import { toCloudEvent, type CloudEvent } from '../../shared/contract/cloud-event.js';
import type { RecordedEvent } from '../../shared/contract/events.js';
import type { JournalReader } from '../../shared/journal/journal.js';
import type { FeedRequest } from './feed-request.js';
import { readWithin } from './read-within.js';

export type FeedEvent = CloudEvent & { readonly erased?: true };
export type FeedPage = {
  readonly events: readonly FeedEvent[];
  /** Everything up to here is among the events, or the filter left it out. */
  readonly next: number;
};

type Asked = Pick<FeedRequest, 'after' | 'limit' | 'types' | 'subject' | 'scanEnd'>;

/** `head`: as it was before this read; what is committed meanwhile belongs to the next page. */
export async function readFeed(
  journal: Pick<JournalReader, 'read'>,
  { after, limit, types, subject, scanEnd }: Asked,
  head: number,
): Promise<FeedPage> {
  const through = Math.min(head, scanEnd);
  const filter = { ...(types !== undefined && { types }), ...(subject !== undefined && { subject }) };
  const { items, last, isComplete } = await readWithin({
    limit,
    read: (previous, few) => journal.read({ ...filter, through, after: previous?.position ?? after, limit: few }),
    present: feedEvent,
  });
  return { events: items, next: isComplete || last === undefined ? through : last.position };
}

function feedEvent(event: RecordedEvent): FeedEvent {
  return event.data === null ? { ...toCloudEvent(event), erased: true } : toCloudEvent(event);
}
