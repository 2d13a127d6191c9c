/**
 * GET /events: the journal as CloudEvents, in order, from any position. A reader that continues from the last `next`
 * that it has processed receives every event at least once, even if it crashes. The feed reads the journal, not the
 * graph: an event may appear here shortly before a read of its memory shows it.
 *
 * One request is bounded in what it returns (`limit`, FEED_BYTES_LIMIT) and in what it reads: with types and without a
 * subject, FEED_SCAN_LIMIT positions. So a page may be empty before the end of the journal; `next` has advanced, and no
 * event is read twice.
 */
import { type CloudEvent, type RecordedEvent, toCloudEvent } from '../../shared/contract/events.js';
import type { Handler, RequestContext } from '../../shared/http/handler.js';
import { beyondHeadError } from '../../shared/journal/beyond-head-error.js';
import { withTimeoutSignal } from '../../shared/kernel/concurrency/abort-signals.js';
import { DeadlineError } from '../../shared/kernel/errors.js';
import type { JournalReader } from '../../shared/ports/journal.js';
import { type FeedRequest, feedRequestOf } from './feed-request.js';
import type { JournalTail } from './journal-tail.js';
import { readPage } from './read-page.js';

type Dependencies = {
  readonly journal: Pick<JournalReader, 'read' | 'head'>;
  readonly tail: JournalTail;
  readonly waiterLimit?: number;
};

const RETRY_AFTER_SECONDS = 10;
/** Requests with `wait` that wait at one process; further ones get 503. */
const WAITER_LIMIT = 200;

export function createListEvents({ journal, tail, waiterLimit = WAITER_LIMIT }: Dependencies): Handler<'listEvents'> {
  let waiters = 0;

  /** The first page with an event, or an empty page when the wait or the range of positions is at its end. */
  async function readOrWait(
    request: FeedRequest,
    head: number,
    { signal: hangUp, endWork }: Pick<RequestContext, 'signal' | 'endWork'>,
  ): Promise<FeedPage & { readonly head: number }> {
    let page = { ...(await readFeed(journal, request, head)), head };
    if (request.waitMs === 0) return page;
    if (page.events.length > 0) return page;
    if (waiters >= waiterLimit)
      throw new DeadlineError(
        `${waiterLimit} requests already wait for events at this process: ask again later, or without 'wait'`,
        RETRY_AFTER_SECONDS,
      );
    waiters += 1;
    endWork();
    try {
      await withTimeoutSignal(request.waitMs, [hangUp], async (ending) => {
        while (page.events.length === 0 && page.next < request.scanEnd) {
          const beyond = await tail.beyond(page.next, ending);
          if (beyond === null) break;
          page = { ...(await readFeed(journal, { ...request, after: page.next }, beyond)), head: beyond };
        }
      });
      return page;
    } finally {
      waiters -= 1;
    }
  }

  return async ({ query, context }) => {
    const request = feedRequestOf(query);
    const head = await journal.head();
    if (request.after > head) throw beyondHeadError('after', { position: request.after, head });
    const page = await readOrWait(request, head, context);
    return {
      status: 200,
      body: {
        status: 'success',
        events: page.events,
        next: context.cursorOf(page.next),
        head: context.cursorOf(page.head),
        count: page.events.length,
      },
    };
  };
}

type FeedEvent = CloudEvent & { readonly erased?: true };
type FeedPage = {
  readonly events: readonly FeedEvent[];
  /** Every event up to this position is in `events`, or the filter left it out. */
  readonly next: number;
};

type FeedPageRequest = Pick<FeedRequest, 'after' | 'limit' | 'types' | 'subject' | 'scanEnd'>;

/**
 * Reads one page of the feed from the journal, up to a position. `head`: the head of the journal before this read;
 * events that are committed during the read belong to the next page.
 */
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
