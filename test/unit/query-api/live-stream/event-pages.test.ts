import { expect } from 'chai';
import { createEventPages, storeActivity, type View } from '../../../../query-api/live-stream/event-pages.js';
import type { RecordedEvent } from '../../../../shared/contract/events.js';
import { until } from '../../../support/checks/until.js';
import { associated, deleted, recorded, SOME_TIME, stored } from '../../../support/fixtures/events.js';

const clock = { now: () => new Date('2024-01-01T10:00:00.250Z') };

describe('activity of a stored memory', () => {
  it('has the fields that existing clients read, cut to their limits', () => {
    const tags = ['a', 'b', 'c', 'd', 'e', 'f'];
    const event = recorded(stored(1, { content: '😀'.repeat(150), tags }), 1);
    const activity = storeActivity({ ...event, time: SOME_TIME }, clock.now());
    expect(activity).to.deep.include({ type: 'memory.store', at: SOME_TIME });
    expect(activity?.data).to.deep.include({
      content_preview: '😀'.repeat(100),
      tags: tags.slice(0, 5),
      size_bytes: 600,
      elapsed_ms: 250,
    });
  });

  it('never has a negative duration, even when the clocks differ', () => {
    expect(storeActivity(recorded(stored(1), 1), new Date(0))?.data).to.include({ elapsed_ms: 0 });
  });

  it('is null for other events and for erased ones', () => {
    for (const event of [
      recorded(deleted(1, 2), 2),
      recorded(associated(1, 2), 3),
      { ...recorded(stored(1), 1), data: null },
    ]) {
      expect(storeActivity(event, clock.now())).to.equal(null);
    }
  });
});

describe('pages of events', () => {
  const all: View = { liveAfter: 0, cursorOf: String };
  const memories = (count: number): RecordedEvent[] =>
    Array.from({ length: count }, (_, index) => recorded(stored(index + 1), index + 1));

  /** `reads`: the positions after which the journal was read. */
  function openPages(events: RecordedEvent[], cachedMs = 60_000) {
    const reads: number[] = [];
    const read = async ({ after, limit = 0 }: { readonly after: number; readonly limit?: number }) => {
      reads.push(after);
      return events.filter(({ position }) => position > after).slice(0, limit);
    };
    return { pages: createEventPages({ journal: { read }, clock, cachedMs }), reads };
  }
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

  it('are read and rendered once for watchers at the same position', async () => {
    const { pages, reads } = openPages(memories(60));
    const [first, second] = await Promise.all([pages(0), pages(0)]);
    expect(first).to.include({ last: 50, isFull: true });
    expect(first.bytesFor(all)).to.equal(second.bytesFor({ ...all, liveAfter: -1 }));
    expect((await pages(0)).bytesFor(all), 'a watcher that comes a little later').to.equal(first.bytesFor(all));
    expect(reads).to.deep.equal([0]);
  });

  it('are read again at the end of the journal, where events are added', async () => {
    const events = memories(1);
    const { pages } = openPages(events);
    expect(await pages(0)).to.include({ last: 1, isFull: false });
    events.push(recorded(stored(2), 2));
    expect(await pages(0)).to.include({ last: 2 });
    expect(await pages(2)).to.include({ last: null, isFull: false });
    expect((await pages(2)).bytesFor(all)).to.have.length(0);
  });

  it('are read again later, because a deletion may have erased events', async () => {
    const { pages, reads } = openPages(memories(60), 1);
    await until('the page is read again', async () => (await pages(0)) && reads.length > 1);
  });

  it('have what each view shows', async () => {
    const { pages } = openPages(memories(3));
    const page = await pages(0);
    const shown = (view: Partial<View>): readonly string[] =>
      text(page.bytesFor({ ...all, ...view })).match(/^id: .*$|"type":"memory.store"/gmu) ?? [];
    const activity = '"type":"memory.store"';
    expect(shown({})).to.deep.equal(['id: 1', activity, 'id: 2', activity, 'id: 3', activity]);
    expect(shown({ liveAfter: 2 })).to.deep.equal(['id: 1', 'id: 2', 'id: 3', activity]);
    expect(shown({ liveAfter: 9 })).to.deep.equal(['id: 1', 'id: 2', 'id: 3']);
    expect(shown({ only: 'events' })).to.deep.equal(['id: 1', 'id: 2', 'id: 3']);
    expect(shown({ only: 'activity', liveAfter: 1 })).to.deep.equal([activity, activity]);
    expect(shown({ only: 'events', cursorOf: (position) => `line.${position}` })[0]).to.equal('id: line.1');
  });
});
