/**
 * GET /events: the journal as CloudEvents, in order, from any position on. A reader that goes on from the `next` it worked off last sees
 * every event once or more, however often it is killed. The journal is read, not the graph: an event may be here a moment before a read
 * of its memory shows it.
 *
 * One request is bounded in what it answers (`limit`, FEED_BYTES_LIMIT) and in what it looks at: with types and no subject, FEED_SCAN_LIMIT
 * positions. So an answer may be empty and yet not the end; `next` has moved on and nothing is looked at twice.
 */
import type { Handler } from '../../shared/http/handler.js';
import type { JournalReader } from '../../shared/journal/journal.js';
import { abortAfter } from '../../shared/kernel/abort-after.js';
import { beyondHead } from './beyond-head.js';
import type { JournalTail } from './create-journal-tail.js';
import { feedRequestOf, type FeedRequest } from './feed-request.js';
import { readFeed, type FeedPage } from './read-feed.js';

type Dependencies = { readonly journal: Pick<JournalReader, 'read' | 'head'>; readonly tail: JournalTail };

export function createListEvents({ journal, tail }: Dependencies): Handler<'listEvents'> {
  /** The first page with an event, or the last empty one when the wait or the positions to look at are at their end. */
  async function readOrWait(
    request: FeedRequest,
    head: number,
    hangUp: AbortSignal,
  ): Promise<FeedPage & { readonly head: number }> {
    let page = { ...(await readFeed(journal, request, head)), head };
    if (request.waitMs === 0) return page;
    const ending = abortAfter(request.waitMs, hangUp);
    while (page.events.length === 0 && page.next < request.scanEnd) {
      const beyond = await tail.beyond(page.next, ending);
      if (beyond === null) break;
      page = { ...(await readFeed(journal, { ...request, after: page.next }, beyond)), head: beyond };
    }
    return page;
  }

  return async ({ query, context }) => {
    const request = feedRequestOf(query);
    const head = await journal.head();
    if (request.after > head) throw beyondHead('after', { position: request.after, head });
    const page = await readOrWait(request, head, context.signal);
    return {
      status: 200,
      body: { status: 'success', events: page.events, next: page.next, head: page.head, count: page.events.length },
    };
  };
}
