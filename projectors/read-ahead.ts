/**
 * Handles memories that were written alone ahead of a backlog, which may be another caller's. While a projector works
 * on a backlog, this reads later events of the journal. The projector handles the same events again in their turn, so
 * what it does for one must not depend on the order.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { RecordedEvent } from '../shared/contract/events.js';
import { withoutUnapplied } from '../shared/integrity/replay/without-unapplied.js';
import type { Logger } from '../shared/kernel/logger.js';
import type { JournalReader } from '../shared/ports/journal.js';
import type { OutboxReader } from '../shared/ports/outbox.js';

/** Events in one read, and the time until the next one: shorter while there are more. */
const PAGE_EVENTS = 128;
const LOOK_MS = 100;
const NEXT_PAGE_MS = 10;
/** Of one page. A caller who writes more in this time waits for its turn, and not other callers for it. */
export const AHEAD_OF_CALLER = 16;

export type AheadPorts = {
  readonly journal: Pick<JournalReader, 'read'>;
  /** Present where the graph follows the journal. */
  readonly outbox?: Pick<OutboxReader, 'unapplied'> | undefined;
  readonly logger: Logger;
};

/** Runs `backlog`, and meanwhile passes later events to `handle`. */
export type ReadAhead = (work: {
  /** The position of the last event of the backlog. */
  readonly after: number;
  /** Called for each page, also for one without such events. */
  readonly handle: (events: readonly RecordedEvent[]) => Promise<void>;
  readonly backlog: () => Promise<void>;
}) => Promise<void>;

export function createReadAhead({ journal, outbox, logger }: AheadPorts): ReadAhead {
  let seen = 0;

  /** Resolves with the time until the next page. */
  async function readPage(after: number, handle: Parameters<ReadAhead>[0]['handle']): Promise<number> {
    const events = await journal.read({
      after: Math.max(seen, after),
      limit: PAGE_EVENTS,
      types: ['memory.stored', 'memory.updated'],
    });
    seen = events.at(-1)?.position ?? seen;
    await handle(await withoutUnapplied(fewOfEachCaller(writtenAlone(events)), outbox?.unapplied));
    return events.length < PAGE_EVENTS ? LOOK_MS : NEXT_PAGE_MS;
  }

  return async ({ after, handle, backlog }) => {
    const ended = new AbortController();
    const reading = (async () => {
      while (!ended.signal.aborted) {
        const waitMs = await readPage(after, handle).catch((err: unknown) => {
          logger.warn({ err }, 'memories could not be handled ahead of a backlog, and wait for their turn');
          return LOOK_MS;
        });
        await pause(waitMs, undefined, { signal: ended.signal }).catch(() => undefined);
      }
    })();
    try {
      await backlog();
    } finally {
      ended.abort();
      await reading;
    }
  };
}

/** Events that share no request with others of the page, in contrast to those of a batch or an import. */
function writtenAlone(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const requests = countBy(events, ({ correlationId }) => correlationId);
  return events.filter(({ correlationId }) => requests.get(correlationId) === 1);
}

/** Leaves out the events of callers with more than AHEAD_OF_CALLER of them. */
function fewOfEachCaller(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const callers = countBy(events, ({ actor }) => actor.name);
  return events.filter(({ actor }) => (callers.get(actor.name) ?? 0) <= AHEAD_OF_CALLER);
}

function countBy(events: readonly RecordedEvent[], keyOf: (event: RecordedEvent) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const event of events) counts.set(keyOf(event), (counts.get(keyOf(event)) ?? 0) + 1);
  return counts;
}
