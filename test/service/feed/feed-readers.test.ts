/**
 * Readers of the feed that are killed and resumed during writes: each receives every position at least once, in order.
 */
import { expect } from 'chai';
import { type Random, seededRandom } from '../../support/fixtures/random.js';
import { type Service, startService } from '../../support/processes/service.js';

/** The number of commands of each writer. */
const WRITES = 25;

type Book = {
  /** In the order of processing, with repeats. */
  readonly seen: number[];
  /** How often the reader was killed. */
  kills: number;
};

describe('killed feed reader', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  /** The body of an answer that must be successful. */
  async function send(method: string, path: string, body?: object) {
    const reply = await service.request(method, path, body === undefined ? {} : { body });
    expect(reply.status, `${method} ${path}: ${JSON.stringify(reply.body)}`).to.be.below(300);
    return reply.body;
  }

  async function write(random: Random): Promise<void> {
    const ids: string[] = [];
    for (let step = 0; step < WRITES; step++) {
      const kind = ids.length < 2 ? 0 : random.below(8);
      if (kind < 3) ids.push((await send('POST', '/memory', { content: `Number ${step}` })).memory_id);
      else if (kind < 5) await send('PATCH', `/memory/${random.pick(ids)}`, { importance: random.next() });
      else if (kind === 5) {
        const memories = [{ content: `a ${step}` }, { content: `b ${step}` }];
        ids.push(...(await send('POST', '/memory/batch', { memories })).memory_ids);
      } else if (kind === 6)
        await send('POST', '/associate', { memory1_id: ids[0], memory2_id: ids[1], type: 'RELATES_TO' });
      else await send('DELETE', `/memory/${ids.pop() ?? ''}`);
    }
  }

  /** Saves its position now and then, as a reader with a file does, and dies in the middle of requests and pages. */
  async function follow(random: Random, isOver: () => boolean): Promise<Book> {
    const book: Book = { seen: [], kills: 0 };
    let remembered = '0';
    for (;;) {
      const mayEnd = isOver();
      const { next, head } = await live(remembered, random, book);
      remembered = next;
      if (mayEnd && next === head) return book;
    }
  }

  /** One run: from its saved position until it is killed or reaches the end. */
  async function live(
    from: string,
    random: Random,
    book: Book,
  ): Promise<{ readonly next: string; readonly head: string | null }> {
    let remembered = from;
    for (let after = from; ;) {
      const kill = new AbortController();
      const limit = 1 + random.below(9);
      const asked = service.request('GET', `/events?after=${after}&limit=${limit}&wait=${random.pick([0, 0.2])}`, {
        signal: kill.signal,
      });
      const isKilled = random.below(5) === 0;
      if (isKilled) kill.abort();
      const answer = await asked.catch(() => null);
      if (answer === null) {
        book.kills += 1;
        return { next: remembered, head: null };
      }
      const { events, next, head } = answer.body;
      const worked = random.below(6) === 0 ? random.below(events.length + 1) : events.length;
      book.seen.push(...events.slice(0, worked).map(({ position }: { position: number }) => position));
      if (worked < events.length) {
        book.kills += 1;
        return { next: remembered, head: null };
      }
      after = next;
      if (random.below(2) === 0) remembered = next;
      if (next === head) return { next, head };
    }
  }

  for (const seed of [1, 2]) {
    it(`misses no event after it is resumed (seed ${seed})`, async () => {
      let isOver = false;
      const readers = [0, 1, 2].map((number) => follow(seededRandom(seed * 100 + number), () => isOver));
      await Promise.all([0, 1, 2].map((number) => write(seededRandom(seed * 1_000 + number))));
      await service.settled(); // background work writes too
      isOver = true;
      const books = await Promise.all(readers);
      const journal = await positions();
      for (const { seen, kills } of books) {
        expect(kills).to.be.above(0);
        expect(firstTimes(seen)).to.deep.equal(journal);
      }
    }).timeout(120_000);
  }

  async function positions(): Promise<readonly number[]> {
    const all: number[] = [];
    for (let after = 0; ; after = all.at(-1) ?? 0) {
      const read = await service.engines.journal.read({ after, limit: 500 });
      if (read.length === 0) return all;
      all.push(...read.map(({ position }) => position));
    }
  }
});

/** Without repeated positions. */
function firstTimes(seen: readonly number[]): readonly number[] {
  return [...new Set(seen)];
}
