/** A relay that was paused while another one led sends its events late: Kafka refuses them. */
import { expect } from 'chai';
import { createRelay } from '../../../command-api/relay/relay.js';
import type { NewEvent } from '../../../shared/contract/events.js';
import { createKafkaPublisher } from '../../../shared/engines/kafka/publisher/kafka-publisher.js';
import { eventTopic } from '../../../shared/engines/kafka/topics.js';
import { finishPending } from '../../../shared/engines/postgres/commit/pending-rows.js';
import { createPostgresOutbox } from '../../../shared/engines/postgres/outbox/postgres-outbox.js';
import { postgresRecords } from '../../../shared/engines/postgres/records/postgres-records.js';
import { createResources, type Resources } from '../../../shared/kernel/concurrency/resources.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import type { EventPublisher } from '../../../shared/ports/stream.js';
import { appendToPostgres } from '../../support/adapters/journals.js';
import { until } from '../../support/checks/until.js';
import { deleted, stored, updated } from '../../support/fixtures/events.js';
import { type KafkaNames, openKafkaNames } from '../../support/servers/kafka.js';
import { openTemporaryPostgres, type TemporaryPostgres } from '../../support/servers/postgres.js';
import { readTopic } from '../../support/servers/read-topic.js';
import { isServerWanted } from '../../support/servers/servers.js';

const SECRET = 'words that a deletion erases';
const END_LEADER = `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = 1885436016 AND objid = 3
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

type Append = EventPublisher['append'];

if (isServerWanted('postgres') && isServerWanted('kafka')) {
  describe('a relay that was paused', () => {
    let resources: Resources;
    let temporary: TemporaryPostgres;
    let names: KafkaNames;
    beforeEach(async () => {
      resources = createResources();
      temporary = resources.add(await openTemporaryPostgres(), ({ remove }) => remove());
      names = resources.add(await openKafkaNames(), ({ remove }) => remove());
      await names.createTopics();
    });
    afterEach(() => resources.close());

    /** A relay process. `around`: what happens around its append. */
    function start(around: (append: Append) => Append = (append) => append): {
      leads(): boolean;
      close(): Promise<void>;
    } {
      const postgres = resources.add(temporary.openAnother(), (opened) => opened.close());
      const publisher = resources.add(
        createKafkaPublisher({ config: names.config, topicRecords: names.topicRecords, logger: silentLogger }),
        (opened) => opened.close(),
      );
      const outbox = resources.add(
        createPostgresOutbox({ postgres, logger: silentLogger, leaseMs: 10_000 }),
        (opened) => opened.close(),
      );
      const config = { batchSize: 100, pollMs: 50 };
      const relay = createRelay({
        outbox,
        publisher: { append: around(publisher.append) },
        deadLetters: postgresRecords(postgres).deadLetters,
        logger: silentLogger,
        config,
      });
      return resources.add(relay, (opened) => opened.close());
    }

    /** Holds the append of each event while `isHeld`, as a process that is paused before it sends. */
    function pausable() {
      let resume = (): void => undefined;
      const resumed = new Promise<void>((resolve) => (resume = resolve));
      const held: Promise<unknown>[] = [];
      const state = { isHeld: false, held, resume: () => resume() };
      const around =
        (append: Append): Append =>
        (events, leadership) => {
          if (!state.isHeld) return append(events, leadership);
          const late = resumed.then(() => append(events, leadership));
          held.push(late.catch(() => undefined));
          return late;
        };
      return { state, around };
    }

    async function commit(...events: NewEvent[]): Promise<void> {
      await finishPending(temporary.postgres, await appendToPostgres(temporary.postgres, events));
    }

    async function published(): Promise<readonly string[]> {
      const messages = await readTopic(eventTopic(names.config), names.config.brokers);
      return messages.map(({ value }) => {
        const { subject, version, data } = JSON.parse(String(value)) as Record<string, unknown>;
        return `${subject === stored(1).subject ? 'X' : 'other'} v${String(version)}${JSON.stringify(data)?.includes(SECRET) ? ' with its words' : ''}`;
      });
    }

    async function expectNothingLate(hasPublished: boolean): Promise<void> {
      const { state, around } = pausable();
      const paused = start(around);
      await until('the first relay leads', () => paused.leads());
      const all = async (count: number): Promise<boolean> => (await published()).length >= count;
      if (hasPublished) {
        await commit(stored(2));
        await until('it has published', () => all(1));
      }
      state.isHeld = true;
      await commit(stored(1, { content: SECRET }));
      await until('it is about to append', () => state.held.length > 0);
      const other = start();
      await temporary.postgres.query(END_LEADER);
      await until('the other relay leads', () => other.leads());
      await commit(updated(1, 2), deleted(1, 3));
      const before = hasPublished ? 4 : 3;
      await until('the other relay has published', () => all(before));
      state.resume();
      await Promise.all(state.held);
      await commit(stored(3));
      await until('the other relay continues', () => all(before + 1));
      expect((await published()).filter((text) => text.startsWith('X'))).to.deep.equal([
        'X v1 with its words',
        'X v2',
        'X v3',
      ]);
    }

    it('sends nothing late with the producer that it had', () => expectNothingLate(true));
    it('sends nothing late with a producer that it opens then', () => expectNothingLate(false));
  });
}
