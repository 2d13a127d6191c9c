/**
 * The simulated Kafka: one log for each partition of each topic, committed offsets, and groups that give partitions to
 * members. Its accidents: it loses a topic, it is down, and a member that was away for too long is not waited for.
 */
import type { SimulatedProcess, World } from '../world/world.js';

export type StoredRecord = {
  readonly key: string;
  readonly value: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly at: number;
  readonly process: string;
};
export type Offset = { readonly offset: string; readonly metadata: string };

/** The epoch that Kafka gives a producer with a transactional id. */
export type ProducerFence = { readonly transactionalId: string; readonly epoch: number };

export type Member = {
  readonly process: SimulatedProcess;
  readonly topic: string;
  /** False when the consumer was closed: it sends no heartbeats, also when the broker did not hear that it leaves. */
  readonly isRunning: () => boolean;
  /** A rebalance: the partitions of the member in the new generation of the group. */
  readonly onAssigned: (partitions: readonly number[], generation: number) => void;
  /** New records arrived. */
  readonly onRecords: () => void;
  /** The group no longer counts it as a member; a member that still runs joins again. */
  readonly onEvicted: () => void;
};

export interface SimulatedBroker {
  /** Throws while the broker is down, as kafkajs does after its last attempt. */
  readonly requireUp: () => void;
  readonly isDown: () => boolean;
  readonly setDown: (isDown: boolean) => void;
  readonly topics: () => readonly string[];
  /** `limitBytes`: the largest batch of records that a partition takes. */
  readonly createTopic: (topic: string, partitions: number, limitBytes?: number) => void;
  /** Each partition's records, in order. Throws for a topic that does not exist. */
  readonly logs: (topic: string) => readonly (readonly StoredRecord[])[];
  /** A producer that is opened later with the same id gets a higher epoch. */
  readonly openProducer: (transactionalId: string) => ProducerFence;
  /** Throws when a batch of this size is above the limit of the topic. */
  readonly requireSize: (topic: string, bytes: number) => void;
  /** Throws when the partition has records of a higher epoch of this producer. */
  readonly append: (topic: string, partition: number, record: StoredRecord, fence: ProducerFence | null) => number;
  readonly offsets: (group: string, topic: string) => ReadonlyMap<number, Offset>;
  /** Throws when the generation of the group is another one. */
  readonly commit: (
    group: string,
    topic: string,
    given: { readonly partition: number; readonly generation: number } & Offset,
  ) => void;
  readonly join: (group: string, member: Member) => void;
  readonly leave: (group: string, member: Member) => void;
  /** The topic loses its records and the offsets of its groups, as when it was deleted and created again. */
  readonly loseTopic: (topic: string) => void;
  /**
   * Records that the groups of the topic have not handled yet, as far as their committed offsets say. A partition in
   * which a group has no checkpoint counts as one.
   */
  readonly lag: (topic: string) => number;
  /** Calls `react` for each record that is appended from now on. */
  readonly onAppended: (react: (topic: string, record: StoredRecord) => void) => void;
}

/** How long the broker waits for a heartbeat of a member; the usual value is 30 s. */
const SESSION_MS = 30_000;
const CHECK_MS = 2_000;

type Group = { readonly members: Member[]; generation: number; readonly lastSeen: Map<Member, number> };

export function createSimulatedBroker(world: World): SimulatedBroker {
  const topics = new Map<string, StoredRecord[][]>();
  const limits = new Map<string, number>();
  const offsets = new Map<string, Map<number, Offset>>();
  const groups = new Map<string, Group>();
  let isDown = false;
  const lastEpochs = new Map<string, number>();
  /** The epochs that each partition has seen, by its log and the transactional id. */
  const seenEpochs = new Map<StoredRecord[], Map<string, number>>();
  const watchers: ((topic: string, record: StoredRecord) => void)[] = [];

  function logsOf(topic: string): StoredRecord[][] {
    const logs = topics.get(topic);
    if (!logs) throw kafkaError('UNKNOWN_TOPIC_OR_PARTITION', `The topic ${topic} does not exist`);
    return logs;
  }
  function offsetsOf(group: string, topic: string): Map<number, Offset> {
    const key = `${group} ${topic}`;
    let found = offsets.get(key);
    if (!found) offsets.set(key, (found = new Map<number, Offset>()));
    return found;
  }

  function requireEpoch(log: StoredRecord[], { transactionalId, epoch }: ProducerFence): void {
    const seen = seenEpochs.get(log) ?? new Map<string, number>();
    if ((seen.get(transactionalId) ?? 0) > epoch)
      throw kafkaError('INVALID_PRODUCER_EPOCH', 'Producer attempted an operation with an old epoch');
    seenEpochs.set(log, seen.set(transactionalId, epoch));
  }

  function rebalance(group: Group): void {
    group.generation += 1;
    const { generation } = group;
    for (const [index, member] of group.members.entries()) {
      const count = topics.get(member.topic)?.length ?? 0;
      const all = Array.from({ length: count }, (_, partition) => partition);
      const own = all.filter((partition) => partition % group.members.length === index);
      world.after(5, () => member.process.enter(() => member.onAssigned(own, generation)));
    }
  }

  /** A crashed or paused process sends no heartbeats, so its partitions go to the others after a time. */
  function watch(group: Group): void {
    world.after(CHECK_MS, () => {
      for (const member of [...group.members]) {
        const isHeard = member.isRunning() && !member.process.isCrashed() && !member.process.isPaused();
        // A broker that comes back waits for a whole session.
        if (isHeard || isDown) group.lastSeen.set(member, world.now());
        if (world.now() - (group.lastSeen.get(member) ?? 0) <= SESSION_MS) continue;
        world.record('kafka', `${member.process.name} is no longer a member: no heartbeat`);
        remove(group, member);
        world.after(1, () => member.process.enter(member.onEvicted));
      }
      if (group.members.length > 0) watch(group);
    });
  }

  function remove(group: Group, member: Member): void {
    const index = group.members.indexOf(member);
    if (index < 0) return;
    group.members.splice(index, 1);
    rebalance(group);
  }

  return {
    requireUp: () => {
      if (isDown) throw brokerDown();
    },
    isDown: () => isDown,
    setDown: (down) => {
      isDown = down;
    },
    onAppended: (react) => void watchers.push(react),
    topics: () => [...topics.keys()],
    createTopic: (topic, partitions, limitBytes = Infinity) => {
      if (topics.has(topic)) return;
      topics.set(
        topic,
        Array.from({ length: partitions }, () => []),
      );
      limits.set(topic, limitBytes);
    },
    logs: logsOf,
    openProducer: (transactionalId) => {
      const epoch = (lastEpochs.get(transactionalId) ?? -1) + 1;
      lastEpochs.set(transactionalId, epoch);
      return { transactionalId, epoch };
    },
    requireSize: (topic, bytes) => {
      if (bytes > (limits.get(topic) ?? Infinity))
        throw kafkaError('MESSAGE_TOO_LARGE', 'The request included a message larger than the max message size');
    },
    append: (topic, partition, record, fence) => {
      const log = logsOf(topic)[partition];
      if (!log) throw kafkaError('UNKNOWN_TOPIC_OR_PARTITION', `${topic} has no partition ${partition}`);
      if (fence !== null) requireEpoch(log, fence);
      log.push(record);
      for (const react of watchers) react(topic, record);
      for (const { members } of groups.values())
        for (const { process, onRecords, topic: followed } of members)
          if (followed === topic) world.after(2, () => process.enter(onRecords));
      return log.length - 1;
    },
    offsets: offsetsOf,
    commit: (group, topic, { partition, generation, offset, metadata }) => {
      if (groups.get(group)?.generation !== generation)
        throw kafkaError('ILLEGAL_GENERATION', 'Specified group generation id is not valid');
      offsetsOf(group, topic).set(partition, { offset, metadata });
    },
    join: (name, member) => {
      let group = groups.get(name);
      if (!group) groups.set(name, (group = { members: [], generation: 0, lastSeen: new Map<Member, number>() }));
      group.members.push(member);
      group.lastSeen.set(member, world.now());
      if (group.members.length === 1) watch(group);
      rebalance(group);
    },
    leave: (name, member) => {
      const group = groups.get(name);
      if (group) remove(group, member);
    },
    lag: (topic) => {
      let lag = 0;
      for (const [key, committed] of offsets) {
        if (!key.endsWith(` ${topic}`)) continue;
        for (const [partition, log] of logsOf(topic).entries()) {
          const offset = committed.get(partition)?.offset;
          lag += offset === undefined ? log.length + 1 : log.length - Number(offset);
        }
      }
      return lag;
    },
    loseTopic: (topic) => {
      const logs = logsOf(topic);
      topics.set(
        topic,
        logs.map(() => []),
      );
      for (const [key, committed] of offsets) if (key.endsWith(` ${topic}`)) committed.clear();
    },
  };
}

/** An error as kafkajs reports it. */
export function kafkaError(type: string, message: string): Error {
  return Object.assign(new Error(message), { name: 'KafkaJSProtocolError', type, retriable: false });
}

function brokerDown(): Error {
  const cause = new Error('connect ECONNREFUSED');
  Object.assign(cause, { name: 'KafkaJSConnectionError', code: 'ECONNREFUSED', retriable: true });
  return Object.assign(new Error(cause.message, { cause }), {
    name: 'KafkaJSNumberOfRetriesExceeded',
    retriable: false,
  });
}
