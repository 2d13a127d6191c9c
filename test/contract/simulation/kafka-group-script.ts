/** A consumer group as production uses kafkajs: its assignments, records, seeks, pauses, checkpoints and crashes. */
import type { Admin, Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import { openFencedProducer } from '../../../shared/engines/kafka/publisher/fenced-producer.js';
import { until } from '../../support/checks/until.js';
import {
  codeOf,
  createTopic,
  type KafkaScript,
  type KafkaServer,
  line,
  message,
  offsetsOf,
  outcomeOf,
  PARTITIONS,
  sent,
  withAdmin,
} from './kafka-script.js';

const checkpointsOf = (admin: Admin, { topic, groupId }: { readonly topic: string; readonly groupId: string }) =>
  outcomeOf(
    admin
      .fetchOffsets({ groupId, topics: [topic] })
      .then(([found]) =>
        (found?.partitions ?? [])
          .map(({ partition, offset, metadata }) => `${partition}: ${offset} ${String(metadata)}`)
          .sort(),
      ),
  );

type Member = {
  readonly consumer: Consumer;
  /** The partitions of the last join; null before the first. */
  readonly partitions: () => readonly number[] | null;
  readonly joins: () => number;
  /** What its batches had, as partition, offset and value. */
  readonly received: string[];
  readonly crashes: string[];
  fails: boolean;
};

/** A member that seeks each partition to its checkpoint, handles batches, and commits behind each one. */
async function startMember(server: KafkaServer, groupId: string): Promise<Member> {
  const { open, topic } = server;
  const consumer = open().consumer({
    groupId,
    sessionTimeout: 10_000,
    heartbeatInterval: 200,
    maxWaitTimeInMs: 100,
    allowAutoTopicCreation: false,
    retry: { retries: 3, initialRetryTime: 100, maxRetryTime: 400, restartOnFailure: async () => false },
  });
  let partitions: readonly number[] | null = null;
  let joins = 0;
  const member: Member = {
    consumer,
    partitions: () => partitions,
    joins: () => joins,
    received: [],
    crashes: [],
    fails: false,
  };

  async function seekToCheckpoints(assigned: readonly number[]): Promise<void> {
    const [found] = await withAdmin(server, (admin) => admin.fetchOffsets({ groupId, topics: [topic] }));
    for (const partition of assigned) {
      const committed = found?.partitions.find((one) => one.partition === partition)?.offset ?? '-1';
      consumer.seek({ topic, partition, offset: committed === '-1' ? '0' : committed });
    }
    partitions = assigned;
    consumer.resume([{ topic, partitions: [...assigned] }]);
  }

  async function eachBatch({
    batch,
    resolveOffset,
    commitOffsetsIfNecessary,
    isStale,
  }: EachBatchPayload): Promise<void> {
    if (member.fails) throw new Error('the handler fails');
    if (isStale()) return;
    const { partition, messages } = batch;
    for (const { offset, value, headers } of messages)
      member.received.push(`${partition} ${offset} ${String(value)} ${String(headers?.['known-end'])}`);
    const last = messages.at(-1)?.offset ?? '0';
    const offset = String(Number(last) + 1);
    await commitOffsetsIfNecessary({
      topics: [{ topic, partitions: [{ partition, offset, metadata: 'mark' } as never] }],
    });
    resolveOffset(last);
  }

  consumer.on(consumer.events.CRASH, ({ payload }) => member.crashes.push(String(payload.error.message)));
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    const assigned = payload.memberAssignment[topic] ?? [];
    joins += 1;
    consumer.pause([{ topic, partitions: [...assigned] }]);
    seekToCheckpoints([...assigned].sort()).catch((error: unknown) => member.crashes.push(codeOf(error)));
  });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, partitionsConsumedConcurrently: 1, eachBatch });
  return member;
}

/** A group of one member, of two and of one again, its checkpoints, and the loss of its topic. */
export const consume: KafkaScript = async (server) => {
  const { open, topic } = server;
  const groupId = `${topic}.group`;
  const lines: string[] = [];
  const all = (members: readonly Member[], count: number) =>
    until(`${count} records arrive`, () => members.reduce((sum, { received }) => sum + received.length, 0) >= count);
  const taken = (members: readonly Member[]): string =>
    JSON.stringify(members.flatMap(({ received }) => received.splice(0)).sort());
  // A member commits after it has received, and the next step must not meet an open commit.
  const committed = (next: readonly number[]) =>
    until('both partitions are committed', async () => {
      const found = await checkpointsOf(admin, { topic, groupId });
      return next.every((offset, partition) => found.includes(`${partition}: ${offset} mark`)) && found;
    });
  const assigned = (members: readonly Member[], counts: readonly number[]) =>
    until('the group is balanced', () => members.every((one, index) => one.partitions()?.length === counts[index]));

  await createTopic(server);
  const admin = open().admin();
  await admin.connect();
  // A new broker first loads its groups, and a topic for their checkpoints.
  const none = await until('the broker has loaded its groups', async () => {
    const found = await checkpointsOf(admin, { topic, groupId });
    return !found.startsWith('GROUP_') && found;
  });
  lines.push(line('no checkpoints', none));
  const producer = await openFencedProducer(open() as Kafka, topic);
  await sent(
    producer,
    topic,
    ['a', 'b', 'c'].map((value) => message(0, value)),
  );
  await sent(
    producer,
    topic,
    ['d', 'e'].map((value) => message(1, value)),
  );
  const one = await startMember(server, groupId);
  await all([one], 5);
  lines.push(line('one member received', taken([one])), line('and has', one.partitions()));
  lines.push(line('checkpoints', await committed([3, 2])));
  one.consumer.seek({ topic, partition: 0, offset: '1' });
  await all([one], 2);
  lines.push(line('after a seek', taken([one])));

  one.consumer.pause([{ topic, partitions: [0] }]);
  await sent(producer, topic, [message(0, 'f')]);
  await sent(producer, topic, [message(1, 'g')]);
  await all([one], 1);
  lines.push(line('while one partition is paused', taken([one])));
  one.consumer.resume([{ topic, partitions: [0] }]);
  await all([one], 1);
  lines.push(line('when it is resumed', taken([one])));
  await committed([4, 3]);

  const two = await startMember(server, groupId);
  await assigned([one, two], [1, 1]);
  lines.push(line('two members have', [...(one.partitions() ?? []), ...(two.partitions() ?? [])].sort()));
  await sent(producer, topic, [message(0, 'h'), message(1, 'i')]);
  await all([one, two], 2);
  lines.push(line('two members received', taken([one, two])));
  await committed([5, 4]);

  await two.consumer.disconnect();
  await assigned([one], [PARTITIONS]);
  await sent(producer, topic, [message(0, 'j'), message(1, 'k')]);
  await all([one], 2);
  lines.push(line('the first one again', taken([one])), line('joins', [one.joins(), two.joins()]));
  await committed([6, 5]);
  one.fails = true;
  await sent(producer, topic, [message(0, 'l')]);
  await until('it crashes', () => one.crashes.length > 0);
  lines.push(line('crash', one.crashes));
  await one.consumer.disconnect();
  lines.push(line('checkpoints of a stopped group', await checkpointsOf(admin, { topic, groupId })));
  const three = await startMember(server, groupId);
  await all([three], 1);
  lines.push(line('a new member received', taken([three])));
  await three.consumer.disconnect();
  await server.replaceTopic();
  await until(
    'the checkpoints are gone',
    async () => !(await checkpointsOf(admin, { topic, groupId })).includes('mark'),
  );
  lines.push(line('offsets of the next topic', await offsetsOf(admin, topic)));
  await producer.disconnect();
  await admin.disconnect();
  return lines;
};
