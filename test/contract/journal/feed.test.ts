/** The feed over every journal: how far one request reads, how much it returns, and how a wait ends. */
import { expect } from 'chai';
import { createJournalTail } from '../../../query-api/feed/journal-tail.js';
import { createListEvents, readFeed } from '../../../query-api/feed/list-events.js';
import { readPage } from '../../../query-api/feed/read-page.js';
import type { RecordedEvent } from '../../../shared/contract/events.js';
import type { RequestFor } from '../../../shared/http/handler.js';
import { DeadlineError } from '../../../shared/kernel/errors.js';
import { JOURNAL_ADAPTERS, type OpenJournal } from '../../support/adapters/journals.js';
import { rejection } from '../../support/checks/rejection.js';
import { associated, numberedId, stored, updated } from '../../support/fixtures/events.js';

const cursorOf = (position: number): string => String(position);

type Page = { readonly events: readonly { readonly position: number }[]; readonly next: string; readonly head: string };

for (const adapter of JOURNAL_ADAPTERS) {
  describe(`event feed: ${adapter.name}`, () => {
    let opened: OpenJournal;
    beforeEach(async () => {
      opened = await adapter.open();
    });
    afterEach(() => opened.close());

    const positionsOf = (events: readonly { readonly position: number }[]): readonly number[] =>
      events.map(({ position }) => position);

    it('reads at most its limit of positions, and continues after them', async () => {
      const events = await opened.append([
        stored(1),
        stored(2),
        stored(3),
        updated(1, 2),
        stored(4),
        updated(2, 2),
        associated(1, 2),
      ]);
      const head = await opened.journal.head();
      const at = (index: number): number => events[index]?.position ?? -1;
      const narrow = { limit: 10, types: ['memory.updated'] } as const;
      const first = await readFeed(opened.journal, { ...narrow, after: 0, scanEnd: at(2) }, head);
      expect(first).to.deep.equal({ events: [], next: at(2) });
      const second = await readFeed(opened.journal, { ...narrow, after: first.next, scanEnd: at(4) }, head);
      expect([positionsOf(second.events), second.next]).to.deep.equal([[at(3)], at(4)]);
      const third = await readFeed(opened.journal, { ...narrow, after: second.next, scanEnd: at(6) + 10 }, head);
      expect([positionsOf(third.events), third.next]).to.deep.equal([[at(5)], head]);
    });

    it('leaves events committed after its read of the head to the next page', async () => {
      const [first] = await opened.append([stored(1)]);
      const head = await opened.journal.head();
      await opened.append([stored(2)]);
      const page = await readFeed(opened.journal, { after: 0, limit: 10, scanEnd: Infinity }, head);
      expect([positionsOf(page.events), page.next]).to.deep.equal([[first?.position], head]);
    });

    it('continues after the rest when a page has exactly the requested number', async () => {
      await opened.append([stored(1), updated(1, 2), stored(2)]);
      const head = await opened.journal.head();
      const asked = { after: 0, scanEnd: Infinity, subject: numberedId(1) };
      expect((await readFeed(opened.journal, { ...asked, limit: 2 }, head)).next).to.equal(head);
      expect((await readFeed(opened.journal, { ...asked, limit: 1 }, head)).next).to.be.below(head);
    });

    it('returns as many whole events as fit, and at least one', async () => {
      await opened.append(Array.from({ length: 130 }, (_, index) => stored(index + 1, { content: 'x'.repeat(1_000) })));
      const read = (last: RecordedEvent | undefined, few: number) =>
        opened.journal.read({ after: last?.position ?? 0, limit: few });
      const present = ({ data }: RecordedEvent) => data;
      const size = JSON.stringify(present((await read(undefined, 1))[0] as RecordedEvent)).length;
      for (const [bytesLimit, count, isComplete] of [
        [1, 1, false],
        [size * 2 + 1, 2, false],
        [size * 115, 110, false],
        [size * 200, 130, true],
      ] as const) {
        const { items, isComplete: wasComplete } = await readPage({ limit: 1_000, read, present, bytesLimit });
        expect(items.length, String(bytesLimit)).to.be.within(count, count + 5);
        expect(wasComplete).to.equal(isComplete);
      }
    });

    it('refuses a wait above the limit, with a time to retry', async () => {
      const tail = createJournalTail({ journal: opened.journal, pollMs: 1 });
      const listEvents = createListEvents({ journal: opened.journal, tail, waiterLimit: 1 });
      const ending = new AbortController();
      const ask = (wait: number) =>
        listEvents({
          params: {},
          query: { wait },
          body: undefined,
          context: { signal: ending.signal, cursorOf, endWork: () => undefined } as RequestFor<'listEvents'>['context'],
        });
      const waiting = [ask(20), ask(20)];
      expect(await Promise.any(waiting.map(rejection)))
        .to.be.instanceOf(DeadlineError)
        .and.include({
          retryAfterSeconds: 10,
        });
      expect((await ask(0)).status).to.equal(200);
      ending.abort();
      await Promise.any(waiting);
      expect((await ask(20)).status, 'a slot is free again').to.equal(200);
    });

    it('ends a wait by an event, by timeout, or when the caller disconnects', async () => {
      const tail = createJournalTail({ journal: opened.journal, pollMs: 5 });
      const listEvents = createListEvents({ journal: opened.journal, tail, waiterLimit: 10 });
      const hangUp = new AbortController();
      const ask = async (query: RequestFor<'listEvents'>['query']): Promise<Page> =>
        (
          await listEvents({
            params: {},
            query,
            body: undefined,
            context: {
              signal: hangUp.signal,
              cursorOf,
              endWork: () => undefined,
            } as RequestFor<'listEvents'>['context'],
          })
        ).body as Page;
      const waiting = ask({ after: 0, wait: 30 });
      const [event] = await opened.append([stored(1)]);
      expect(positionsOf((await waiting).events)).to.deep.equal([event?.position]);
      const head = event?.position ?? -1;
      const end = { next: String(head), head: String(head) };
      expect(await ask({ after: head, wait: 0.02 })).to.include(end);
      const abandoned = ask({ after: head, wait: 30 });
      hangUp.abort();
      expect(await abandoned).to.include(end);
    });
  });
}
