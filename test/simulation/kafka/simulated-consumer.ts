/** The part of a kafkajs consumer that production uses, over the simulated broker. */
import type { Consumer, ConsumerConfig, EachBatchHandler, KafkaMessage } from 'kafkajs';
import type { SimulatedProcess, World } from '../world/world.js';
import { kafkaError, type Member, type SimulatedBroker } from './simulated-broker.js';

const EVENTS = { CRASH: 'consumer.crash', GROUP_JOIN: 'consumer.group_join' } as const;
const MOST_RECORDS = 100;
const IDLE_MS = 2_000;

type Commit = Parameters<Consumer['commitOffsets']>[0];

export function createSimulatedConsumer({
  world,
  broker,
  process,
  config: { groupId },
}: {
  readonly world: World;
  readonly broker: SimulatedBroker;
  readonly process: SimulatedProcess;
  readonly config: ConsumerConfig;
}): Consumer {
  const listeners = new Map<string, ((event: { readonly payload: object }) => void)[]>();
  const paused = new Set<number>();
  const next = new Map<number, number>();
  /** Counts seeks, so that a batch that was fetched before one is stale. */
  const seeks = new Map<number, number>();
  let partitions: readonly number[] = [];
  let generation = 0;
  let topic = '';
  let isStopped = false;
  let wake: () => void = () => undefined;

  const emit = (name: string, payload: object): void => listeners.get(name)?.forEach((react) => react({ payload }));
  const call = <T>(step: string, serve: () => T): Promise<T> =>
    world.call(process, step, () => {
      broker.requireUp();
      return serve();
    });
  const crash = (error: unknown): void => emit(EVENTS.CRASH, { error });
  const member: Member = {
    process,
    get topic() {
      return topic;
    },
    isRunning: () => !isStopped,
    onRecords: () => wake(),
    onEvicted: () => {
      if (!isStopped) call(`kafka.join ${groupId}`, () => broker.join(groupId, member)).catch(crash);
    },
    onAssigned: (assigned, joined) => {
      if (isStopped) return;
      partitions = assigned;
      generation = joined;
      next.clear();
      emit(EVENTS.GROUP_JOIN, { memberAssignment: { [topic]: [...assigned] }, duration: 1 });
      wake();
    },
  };

  function commit(offsets: Commit): Promise<void> {
    const current = generation;
    return call(`kafka.commit ${groupId}`, () => {
      for (const { partition, offset, metadata } of offsets)
        broker.commit(groupId, topic, { partition, generation: current, offset, metadata: metadata ?? '' });
    });
  }

  /** Fetches from one partition and hands the records over. Returns false without records. */
  async function fetchOnce(partition: number, eachBatch: EachBatchHandler): Promise<boolean> {
    const from = next.get(partition);
    if (from === undefined) return false;
    // Without records a fetch waits, unless it fails.
    if (!broker.isDown() && (broker.logs(topic)[partition]?.length ?? 0) <= from) return false;
    const [seek, joined] = [seeks.get(partition), generation];
    const records = await call(`kafka.fetch ${partition}`, () =>
      (broker.logs(topic)[partition] ?? []).slice(from, from + MOST_RECORDS),
    );
    const isStale = (): boolean => seeks.get(partition) !== seek || generation !== joined || paused.has(partition);
    if (records.length === 0 || isStale() || isStopped) return false;
    const messages = records.map((record, index): KafkaMessage => ({
      key: Buffer.from(record.key),
      value: Buffer.from(record.value),
      headers: record.headers as never,
      offset: String(from + index),
      timestamp: String(record.at),
      attributes: 0,
    }));
    await eachBatch({
      batch: { topic, partition, messages, highWatermark: '', firstOffset: () => String(from) } as never,
      resolveOffset: (offset) => {
        if (seeks.get(partition) === seek) next.set(partition, Number(offset) + 1);
      },
      heartbeat: () => Promise.resolve(),
      pause: () => () => undefined,
      commitOffsetsIfNecessary: (offsets) =>
        commit((offsets?.topics ?? []).flatMap((of) => of.partitions.map((one) => ({ topic: of.topic, ...one })))),
      uncommittedOffsets: () => ({ topics: [] }),
      isRunning: () => !isStopped && generation === joined,
      isStale,
    });
    return next.get(partition) !== from;
  }

  async function run(eachBatch: EachBatchHandler): Promise<void> {
    while (!isStopped) {
      let found = false;
      for (const partition of partitions) {
        if (paused.has(partition) || isStopped) continue;
        try {
          found = (await fetchOnce(partition, eachBatch)) || found;
        } catch (error) {
          // kafkajs joins again after a rebalance; any other error ends the consumer.
          if ((error as { readonly type?: string }).type === 'ILLEGAL_GENERATION') continue;
          return crash(error);
        }
      }
      if (!found)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, IDLE_MS);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
    }
  }

  const consumer = {
    events: EVENTS,
    on: (name: string, react: (event: { readonly payload: object }) => void) => {
      listeners.set(name, [...(listeners.get(name) ?? []), react]);
      return () => undefined;
    },
    connect: () => call('kafka.connect', () => undefined),
    disconnect: () => {
      isStopped = true;
      wake();
      // kafkajs hides that the broker does not answer, which then waits for the session to end.
      return call('kafka.leave', () => broker.leave(groupId, member)).catch(() => undefined);
    },
    subscribe: async (asked: { readonly topic: string }) => {
      topic = asked.topic;
    },
    run: async ({ eachBatch }: { readonly eachBatch: EachBatchHandler }) => {
      await call(`kafka.join ${groupId}`, () => broker.join(groupId, member));
      void run(eachBatch);
    },
    pause: (topics: readonly { readonly partitions: readonly number[] }[]) => {
      for (const topic of topics) for (const partition of topic.partitions) paused.add(partition);
    },
    resume: (topics: readonly { readonly partitions: readonly number[] }[]) => {
      for (const topic of topics) for (const partition of topic.partitions) paused.delete(partition);
      wake();
    },
    seek: ({ partition, offset }: { readonly partition: number; readonly offset: string }) => {
      next.set(partition, Number(offset));
      seeks.set(partition, (seeks.get(partition) ?? 0) + 1);
      wake();
    },
    commitOffsets: (offsets: Commit) => {
      if (isStopped) throw kafkaError('NOT_RUNNING', 'The consumer is stopped');
      return commit(offsets);
    },
  };
  // Production uses no other part of a consumer.
  return consumer as unknown as Consumer;
}
