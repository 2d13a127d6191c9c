/**
 * The relay over real tables: every applied event reaches the stream, and first occurrences stay in order per key under
 * any leader.
 */
import { expect } from 'chai';
import { createRelay, type Relay } from '../../../command-api/relay/relay.js';
import type { NewEvent, RecordedEvent } from '../../../shared/contract/events.js';
import { finishPending } from '../../../shared/engines/postgres/commit/pending-rows.js';
import { createPostgresOutbox } from '../../../shared/engines/postgres/outbox/postgres-outbox.js';
import { postgresRecords } from '../../../shared/engines/postgres/records/postgres-records.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import type { Outbox } from '../../../shared/ports/outbox.js';
import { RefusedEventsError } from '../../../shared/ports/stream.js';
import { appendToPostgres } from '../../support/adapters/journals.js';
import { firstAppearances } from '../../support/checks/first-appearances.js';
import { until } from '../../support/checks/until.js';
import { stored, updated } from '../../support/fixtures/events.js';
import { seededRandom } from '../../support/fixtures/random.js';
import { openTemporaryPostgres, type TemporaryPostgres } from '../../support/servers/postgres.js';
import { isServerWanted } from '../../support/servers/servers.js';

const KEYS = 7;
const EVENTS = 600;
const END_LEADER = `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = 1885436016 AND objid = 3
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

type Started = { readonly relay: Relay; readonly outbox: Outbox; readonly close: () => Promise<void> };

if (isServerWanted('postgres')) {
  describe('relay over postgres', () => {
    let temporary: TemporaryPostgres;
    let closers: (() => Promise<void>)[];
    beforeEach(async () => {
      temporary = await openTemporaryPostgres();
      closers = [];
    });
    afterEach(async () => {
      for (const close of closers.reverse()) await close();
      await temporary.remove();
    });

    const start = (append: (events: readonly RecordedEvent[]) => Promise<void>, pollMs = 1_000): Started => {
      const postgres = temporary.openAnother();
      const outbox = createPostgresOutbox({ postgres, logger: silentLogger, leaseMs: 1_000 });
      const relay = createRelay({
        outbox,
        publisher: { append },
        deadLetters: postgresRecords(postgres).deadLetters,
        logger: silentLogger,
        config: { batchSize: 50, pollMs },
      });
      let closing: Promise<void> | undefined;
      const close = (): Promise<void> => (closing ??= relay.close().then(outbox.close).then(postgres.close));
      closers.push(close);
      return { relay, outbox, close };
    };
    const commit = (events: readonly NewEvent[]): Promise<readonly RecordedEvent[]> =>
      appendToPostgres(temporary.postgres, events);
    const apply = (events: readonly RecordedEvent[]): Promise<void> => finishPending(temporary.postgres, events);
    const withinSeconds = (seconds: number): AbortSignal => AbortSignal.timeout(seconds * 1_000);

    it('publishes and removes applied events', async () => {
      const published: RecordedEvent[] = [];
      const { relay, outbox } = start(async (events) => void published.push(...events));
      const events = await commit([stored(1), stored(2), updated(1, 2)]);
      await apply(events);
      await relay.settled(withinSeconds(10));
      expect(published).to.deep.equal(events);
      expect(relay.leads()).to.equal(true);
      expect(await outbox.depth()).to.include({ pending: 0, applied: 0, oldestMs: 0, dead: 0, oldestDeadMs: 0 });
    });

    it('wakes when events become applied, long before its next poll', async () => {
      const published: RecordedEvent[] = [];
      const { relay } = start(async (events) => void published.push(...events), 600_000);
      await until('the relay leads', () => relay.leads());
      for (let version = 1; version <= 5; version += 1) {
        await apply(await commit([version === 1 ? stored(1) : updated(1, version)]));
        await until('the event is published', () => published.length === version);
      }
    });

    it('publishes refused events again', async () => {
      const published: RecordedEvent[] = [];
      let refusals = 2;
      const { relay } = start(async (events) => {
        if (refusals-- > 0) throw new Error('the stream is down');
        published.push(...events);
      });
      const events = await commit([stored(1), stored(2)]);
      await apply(events);
      await relay.settled(withinSeconds(10));
      expect(published).to.deep.equal(events);
      expect(refusals).to.be.below(0);
    });

    it('holds back only the key of a refused event, until its redrive', async () => {
      const published: RecordedEvent[] = [];
      let isRefusing = true;
      const events = await commit([stored(1), updated(1, 2), stored(2)]);
      const [first, , other] = events;
      const { outbox } = start(async (given) => {
        const refused = given.filter(({ id }) => isRefusing && id === first?.id);
        const unsent = given.filter(({ subject }) => refused.some((event) => event.subject === subject));
        published.push(...given.filter((event) => !unsent.includes(event)));
        if (refused.length === 0) return;
        const reasons = refused.map((event) => ({ event, error: new Error(`too large: ${JSON.stringify(event)}`) }));
        throw new RefusedEventsError(reasons, new Set(unsent.map(({ position }) => position)));
      }, 50);
      await apply(events);
      const { deadLetters } = postgresRecords(temporary.postgres);
      const [letter] = await until('the event has a dead letter', async () => {
        const letters = await deadLetters.list({ afterId: 0, limit: 10 });
        return letters.length > 0 && letters;
      });
      const reason = 'Unexpected Error: see the log of the process';
      expect(letter).to.deep.include({ projector: 'relay', position: first?.position, reason });
      const later = await commit([stored(3)]);
      await apply(later);
      await until('other keys are published', () => published.length >= 2);
      expect(published).to.deep.equal([other, ...later]);
      expect(await outbox.depth()).to.include({ dead: 1, applied: 1 });
      expect((await outbox.publishedThrough()).position).to.equal(later[0]?.position);
      isRefusing = false;
      await deadLetters.requestRedrive([letter?.id ?? 0]);
      await until('its key is published', () => published.length === 4);
      expect(published.slice(2)).to.deep.equal(events.slice(0, 2));
      expect(await deadLetters.count()).to.equal(0);
    });

    it('is on standby while another relay leads and takes over when it closes', async () => {
      const published: number[][] = [[], []];
      const [first, second] = published.map((positions) =>
        start(async (events) => void positions.push(...events.map(({ position }) => position))),
      );
      await until('one leads', () => first?.relay.leads() || second?.relay.leads());
      const leader = first?.relay.leads() ? first : second;
      const other = leader === first ? second : first;
      await apply(await commit([stored(1)]));
      await other?.relay.settled(withinSeconds(10));
      expect(other?.relay.leads()).to.equal(false);
      await leader?.close();
      await apply(await commit([stored(2)]));
      await other?.relay.settled(withinSeconds(10));
      expect(published.flat().sort()).to.deep.equal([1, 2]);
    });

    it('keeps first occurrences in order per key when leaders die', async () => {
      const random = seededRandom(7);
      const published: RecordedEvent[] = [];
      for (let count = 0; count < 2; count += 1) {
        start(async (events) => {
          for (const event of events) {
            await Promise.resolve();
            published.push(event);
          }
        });
      }
      const versions = new Map<number, number>();
      const waiting: RecordedEvent[] = [];
      for (let made = 0; made < EVENTS;) {
        const group = Array.from({ length: 1 + random.below(8) }, () => {
          const number = 1 + random.below(KEYS);
          const version = (versions.get(number) ?? 0) + 1;
          versions.set(number, version);
          return version === 1 ? stored(number) : updated(number, version);
        });
        made += group.length;
        waiting.push(...(await commit(group)));
        await apply(waiting.splice(random.below(waiting.length), 1 + random.below(12)));
        if (random.below(12) === 0) {
          await temporary.postgres.query(END_LEADER);
        }
      }
      await apply(waiting);
      const total = [...versions.values()].reduce((sum, version) => sum + version, 0);
      await until('all events are published', () => firstAppearances(published).length === total);
      for (const [number, version] of versions) {
        const of = firstAppearances(published).filter(({ subject }) => subject === stored(number).subject);
        expect(of.map((event) => event.version)).to.deep.equal(
          Array.from({ length: version }, (_, index) => index + 1),
        );
      }
    });
  });
}
