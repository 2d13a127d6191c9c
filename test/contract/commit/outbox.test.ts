/** Guarantees of the outbox to a relay: order per key, blocking only within a key, one leader at a time. */
import { expect } from 'chai';
import type { NewEvent } from '../../../shared/contract/events.js';
import { finishPending } from '../../../shared/engines/postgres/commit/pending-rows.js';
import { createPostgresOutbox } from '../../../shared/engines/postgres/outbox/postgres-outbox.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import type { Leadership } from '../../../shared/ports/outbox.js';
import { addressesOf, appendToPostgres } from '../../support/adapters/journals.js';
import { rejection } from '../../support/checks/rejection.js';
import { until } from '../../support/checks/until.js';
import { associated, stored, updated } from '../../support/fixtures/events.js';
import { openTemporaryPostgres, type TemporaryPostgres } from '../../support/servers/postgres.js';
import { isServerWanted } from '../../support/servers/servers.js';

const LEASE_MS = 400;
const SESSIONS_OF_OTHERS =
  'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';

if (isServerWanted('postgres')) {
  describe('postgres outbox', () => {
    let temporary: TemporaryPostgres;
    let outboxes: ReturnType<typeof createPostgresOutbox>[];
    beforeEach(async () => {
      temporary = await openTemporaryPostgres();
      outboxes = [];
    });
    afterEach(async () => {
      for (const outbox of outboxes) await outbox.close();
      await temporary.remove();
    });

    const open = (): ReturnType<typeof createPostgresOutbox> => {
      const outbox = createPostgresOutbox({ postgres: temporary.postgres, logger: silentLogger, leaseMs: LEASE_MS });
      outboxes.push(outbox);
      return outbox;
    };
    const lead = (outbox: ReturnType<typeof createPostgresOutbox>): Promise<Leadership> =>
      outbox.lead(new AbortController().signal);
    const append = async (...events: NewEvent[]): Promise<number[]> =>
      (await appendToPostgres(temporary.postgres, events)).map(({ position }) => position);
    const apply = async (...positions: number[]): Promise<void> =>
      finishPending(temporary.postgres, await addressesOf(temporary.postgres, positions));
    const published = async (outbox: ReturnType<typeof createPostgresOutbox>, ...positions: number[]): Promise<void> =>
      outbox.published(await addressesOf(temporary.postgres, positions));
    const applied = async (outbox: ReturnType<typeof createPostgresOutbox>, limit = 100): Promise<number[]> =>
      (await outbox.applied({ limit })).map(({ position }) => position);

    it('holds committed events back until they are applied', async () => {
      const outbox = open();
      const positions = await append(stored(1), stored(2));
      expect(await applied(outbox)).to.deep.equal([]);
      await apply(...positions);
      expect(await outbox.applied({ limit: 100 })).to.deep.equal(
        [stored(1), stored(2)].map((event, index) => ({ ...event, position: positions[index] })),
      );
    });

    it('returns applied events in position order until they are published', async () => {
      const outbox = open();
      const positions = await append(stored(1), stored(2), stored(3));
      await apply(...positions);
      expect(await applied(outbox, 2)).to.deep.equal([1, 2]);
      expect(await applied(outbox, 2)).to.deep.equal([1, 2]);
      await published(outbox, 2);
      expect(await applied(outbox, 2)).to.deep.equal([1, 3]);
      await published(outbox, 1, 3);
      expect(await applied(outbox)).to.deep.equal([]);
    });

    it('lets a pending event block only its own key', async () => {
      const outbox = open();
      await append(stored(1), stored(2), updated(1, 2), associated(1, 2), stored(3), updated(2, 2));
      await apply(2, 3, 4, 5, 6);
      expect(await applied(outbox)).to.deep.equal([2, 5, 6]);
      await apply(1);
      expect(await applied(outbox)).to.deep.equal([1, 2, 3, 4, 5, 6]);
    });

    it('reports its depth and up to which position everything is in the stream', async () => {
      const outbox = open();
      const seen = async () => {
        const [{ pending, applied: ready, oldestMs }, { position, complete }] = [
          await outbox.depth(),
          await outbox.publishedThrough(),
        ];
        expect(complete, 'without an exception').to.equal(position);
        return { pending, applied: ready, isOld: oldestMs > 0, through: position };
      };
      expect(await seen()).to.deep.equal({ pending: 0, applied: 0, isOld: false, through: 0 });
      await append(stored(1), stored(2), stored(3));
      await apply(2, 3);
      expect(await seen()).to.deep.equal({ pending: 1, applied: 2, isOld: true, through: 0 });
      await published(outbox, 2);
      await apply(1);
      expect(await seen()).to.deep.equal({ pending: 0, applied: 2, isOld: true, through: 0 });
      await published(outbox, 1);
      expect(await seen()).to.deep.equal({ pending: 0, applied: 1, isOld: true, through: 2 });
      await published(outbox, 3);
      expect(await seen()).to.deep.equal({ pending: 0, applied: 0, isOld: false, through: 3 });
    });

    it('reports which events the graph lacks', async () => {
      const outbox = open();
      await append(stored(1), stored(2), stored(3));
      await apply(1, 3);
      expect(await outbox.unapplied([1, 2, 3, 99])).to.deep.equal(new Set([2]));
      await apply(2);
      expect(await outbox.unapplied([1, 2, 3])).to.deep.equal(new Set());
    });

    it('lets positions pass an event that the graph failed to apply', async () => {
      const outbox = open();
      await append(stored(1), stored(2), updated(1, 2));
      await apply(2);
      await published(outbox, 2);
      expect(await outbox.publishedThrough(), 'the first attempt is awaited').to.deep.equal({
        position: 0,
        complete: 0,
      });
      await temporary.postgres.query('UPDATE outbox_pending SET attempts = 1 WHERE position = 1');
      expect(await outbox.publishedThrough()).to.deep.equal({ position: 3, complete: 0 });
      expect((await outbox.depth()).oldestMs, 'the event still counts as waiting').to.be.above(0);
      await apply(1, 3);
      expect((await outbox.publishedThrough()).position, 'the events of its key are awaited again').to.equal(0);
      expect(await applied(outbox)).to.deep.equal([1, 3]);
    });

    it('finds publishable events behind many blocked ones', async () => {
      const outbox = open();
      await append(stored(1), ...Array.from({ length: 30 }, (_, index) => updated(1, index + 2)), stored(2));
      await apply(...Array.from({ length: 31 }, (_, index) => index + 2));
      expect(await applied(outbox, 5)).to.deep.equal([32]);
    });

    it('does not count the bytes of blocked events', async () => {
      const outbox = open();
      const huge = 'x'.repeat(800_000);
      await append(
        ...Array.from({ length: 12 }, (_, index) =>
          index === 0 ? stored(1, { content: huge }) : updated(1, index + 1, { content: huge }),
        ),
        stored(2),
      );
      await apply(...Array.from({ length: 12 }, (_, index) => index + 2));
      expect(await applied(outbox)).to.deep.equal([13]);
    });

    it('returns events that are applied after later events were published', async () => {
      const outbox = open();
      await append(stored(1), stored(2), stored(3));
      await apply(3);
      expect(await applied(outbox)).to.deep.equal([3]);
      await published(outbox, 3);
      expect(await applied(outbox)).to.deep.equal([]);
      await append(stored(4));
      await apply(1, 2, 4);
      expect(await applied(outbox)).to.deep.equal([1, 2, 4]);
      await published(outbox, 1, 2, 4);
      expect(await applied(outbox)).to.deep.equal([]);
      await append(stored(5));
      await apply(5);
      expect(await applied(outbox)).to.deep.equal([5]);
    });

    it('limits a batch of large events by its bytes', async () => {
      const outbox = open();
      const huge = 'x'.repeat(800_000);
      const positions = await append(...Array.from({ length: 20 }, (_, index) => stored(index + 1, { content: huge })));
      await apply(...positions);
      const first = await applied(outbox);
      expect(first.length).to.be.within(5, 15);
      await published(outbox, ...first);
      expect([...first, ...(await applied(outbox))]).to.deep.equal(positions);
    });

    it('counts waiting events by state and reports the age of the oldest', async () => {
      const outbox = open();
      expect(await outbox.depth()).to.deep.equal({ pending: 0, applied: 0, oldestMs: 0, dead: 0, oldestDeadMs: 0 });
      await append(stored(1), stored(2), stored(3));
      await apply(2);
      expect(await outbox.depth())
        .to.include({ pending: 2, applied: 1 })
        .and.to.have.property('oldestMs')
        .that.is.above(0);
    });

    it('wakes listeners when events become applied, also after a lost connection', async () => {
      const outbox = open();
      let woken = 0;
      const stop = outbox.onApplied(() => (woken += 1));
      await until('the outbox listens', () => woken > 0);
      const before = woken;
      await apply(...(await append(stored(1))));
      await until('the listener is woken', () => woken > before);
      await temporary.postgres.query(SESSIONS_OF_OTHERS);
      const lost = woken;
      await until('the listener has reconnected', () => woken > lost);
      const again = woken;
      await until('the listener is woken again', async () => {
        const next = await append(updated(1, woken + 10));
        await apply(...next);
        return woken > again;
      });
      stop();
    });

    it('has one leader; after it resigns, the next leads with a later epoch', async () => {
      const [first, second] = [open(), open()];
      const leadership = await lead(first);
      let isLed = false;
      const waiting = lead(second).then((next) => ((isLed = true), next));
      expect(await first.applied({ limit: 1 })).to.deep.equal([]);
      expect(isLed).to.equal(false);
      await leadership.resign();
      expect(leadership.lost.aborted).to.equal(true);
      expect((await waiting).epoch).to.equal(leadership.epoch + 1);
    });

    it('replaces a leader with a dead connection, which can read no more events', async () => {
      const [first, second] = [open(), open()];
      const leadership = await lead(first);
      const waiting = lead(second);
      await temporary.postgres.query(SESSIONS_OF_OTHERS);
      const next = await waiting;
      expect(next.epoch).to.equal(leadership.epoch + 1);
      await until('the old leader notices', () => leadership.lost.aborted);
      expect(await rejection(first.applied({ limit: 1 }))).to.have.property('code', 'dependency');
      expect(await second.applied({ limit: 1 })).to.deep.equal([]);
    });

    it('keeps the leadership beyond one lease while its process is alive', async () => {
      const leadership = await lead(open());
      const others = lead(open());
      let isLed = false;
      const watched = others.then(
        () => (isLed = true),
        () => undefined,
      );
      const end = performance.now() + 3 * LEASE_MS;
      await until('three leases are over', () => performance.now() > end);
      expect([leadership.lost.aborted, isLed]).to.deep.equal([false, false]);
      await leadership.resign();
      await watched;
    });

    it('stops waiting for the leadership when its signal aborts', async () => {
      await lead(open());
      const stop = new AbortController();
      const waiting = rejection(open().lead(stop.signal));
      stop.abort(new Error('stopped by the test'));
      expect(await waiting).to.have.property('message', 'stopped by the test');
    });
  });
}
