/** Reads one page of the feed from the journal, up to a position. */
import { type CloudEvent, toCloudEvent } from '../../shared/contract/cloud-event.js';
import type { RecordedEvent } from '../../shared/contract/events.js';
import type { JournalReader } from '../../shared/ports/journal.js';
import type { FeedRequest } from './feed-request.js';
import { readPage } from './read-page.js';

export type FeedEvent = CloudEvent & { readonly erased?: true };
export type FeedPage = {
  readonly events: readonly FeedEvent[];
  /** Every event up to this position is in `events`, or the filter left it out. */
  readonly next: number;
};

type FeedPageRequest = Pick<FeedRequest, 'after' | 'limit' | 'types' | 'subject' | 'scanEnd'>;

/** `head`: the head of the journal before this read; events that are committed during the read belong to the next page. */
export async function readFeed(
  journal: Pick<JournalReader, 'read'>,
  { after, limit, types, subject, scanEnd }: FeedPageRequest,
  head: number,
): Promise<FeedPage> {
  const through = Math.min(head, scanEnd);
  const filter = { ...(types !== undefined && { types }), ...(subject !== undefined && { subject }) };
  const { items, last, isComplete } = await readPage({
    limit,
    read: (previous, few) => journal.read({ ...filter, through, after: previous?.position ?? after, limit: few }),
    present: feedEvent,
  });
  return { events: items, next: isComplete || last === undefined ? through : last.position };
}

function feedEvent(event: RecordedEvent): FeedEvent {
  return event.data === null ? { ...toCloudEvent(event), erased: true } : toCloudEvent(event);
}
