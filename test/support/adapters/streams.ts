/** The streams that the contract suite runs over. A new stream adds one entry. */
import type { NewEvent } from '../../../shared/contract/events.js';
import { createSqliteJournal } from '../../../shared/engines/sqlite/journal/sqlite-journal.js';
import { journalMigrations } from '../../../shared/engines/sqlite/schema/journal.js';
import { streamMigrations } from '../../../shared/engines/sqlite/schema/schema.js';
import { createJournalStream } from '../../../shared/engines/sqlite/stream/journal-stream.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import type { EventPublisher, EventSource } from '../../../shared/ports/stream.js';
import { type KafkaNames, kafkaStreamOver, openKafkaNames } from '../servers/kafka.js';
import { isServerWanted } from '../servers/servers.js';
import { appendEvents } from './journals.js';
import { openTemporaryHost, type TemporaryHost } from './sqlite.js';

export type OpenStream = {
  readonly stream: EventPublisher & EventSource;
  /** Journals events and publishes them, as a commit does. */
  readonly publish: (events: readonly NewEvent[]) => Promise<unknown>;
  /** Closes the stream and opens a new one over the same data, like a restart of the process. */
  readonly restart: () => Promise<OpenStream>;
  readonly close: () => Promise<void>;
};

export type StreamAdapter = {
  readonly name: string;
  readonly features: {
    /** Delivers journalled events that were never appended to the stream. */
    readonly findsUnpublished: boolean;
    /** Delivers in the order of positions over all keys. The other streams keep the order per key only. */
    readonly isTotallyOrdered: boolean;
  };
  readonly open: () => Promise<
    OpenStream & { readonly journalOnly: (events: readonly NewEvent[]) => Promise<unknown> }
  >;
};

export const STREAM_ADAPTERS: readonly StreamAdapter[] = [
  {
    name: 'journal',
    features: { findsUnpublished: true, isTotallyOrdered: true },
    open: async () => overJournal(await openTemporaryHost([journalMigrations, streamMigrations])),
  },
  ...(isServerWanted('kafka')
    ? [{ name: 'kafka', features: { findsUnpublished: false, isTotallyOrdered: false }, open: openKafka }]
    : []),
];

const POLL_MS = 20;

function overJournal(temporary: TemporaryHost): Awaited<ReturnType<StreamAdapter['open']>> {
  const { host } = temporary;
  const stream = createJournalStream({
    host,
    journal: createSqliteJournal({ host }),
    logger: silentLogger,
    pollMs: POLL_MS,
  });
  return {
    stream,
    publish: async (events) => stream.append(await host.write(appendEvents, events)),
    journalOnly: async (events) => {
      await host.write(appendEvents, events);
    },
    restart: async () => {
      await stream.close();
      return overJournal(await temporary.reopen());
    },
    close: async () => {
      await stream.close();
      await temporary.remove();
    },
  };
}

async function openKafka(): ReturnType<StreamAdapter['open']> {
  const names = await openKafkaNames();
  await names.createTopics();
  return overKafka(await openTemporaryHost([journalMigrations]), names);
}

function overKafka(temporary: TemporaryHost, names: KafkaNames): Awaited<ReturnType<StreamAdapter['open']>> {
  const { stream, publish, journalOnly } = kafkaStreamOver(temporary.host, names);
  return {
    stream,
    publish,
    journalOnly,
    restart: async () => {
      await stream.close();
      return overKafka(await temporary.reopen(), names);
    },
    close: async () => {
      await stream.close();
      await names.remove();
      await temporary.remove();
    },
  };
}
