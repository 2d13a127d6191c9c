/**
 * Two real Neo4j servers as a cluster of a leader and a follower. The Community Edition has no cluster, so proxies of
 * ours give the roles, and a replica repeats the transactions of the leader at the follower, late if a test wants it.
 */
import { type BoltMember, type CommittedTransaction, openBoltMember } from './bolt-member.js';
import type { RoutingTable } from './bolt-messages.js';
import { openReplica, type Replica } from './replica.js';

export type TestCluster = {
  /** The address for NEO4J_URL. */
  readonly url: string;
  readonly leader: () => BoltMember;
  readonly follower: () => BoltMember;
  /** The port of the follower's server. */
  readonly followerPort: () => number;
  /** Transactions that the follower lacks. */
  readonly lag: () => number;
  /** The follower gets all transactions that are committed now. */
  readonly catchUp: () => Promise<void>;
  /** The follower gets each transaction this long after its commit; null: never. */
  readonly follow: (lagMs: number | null) => void;
  /** The leader also answers reads of members. */
  readonly setReaders: (readers: 'follower' | 'both') => void;
  /** No server leads; then the follower does, with all transactions. */
  readonly exchangeLeader: (meanwhile?: () => Promise<void>) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** In seconds: longer than a test, so that drivers notice changes by failures alone. */
const TABLE_TTL = 600;

/** Both servers are empty, and have the same user. */
export async function openTestCluster(serverPorts: readonly [number, number]): Promise<TestCluster> {
  const committed: CommittedTransaction[] = [];
  let leading = 0;
  let isElecting = false;
  let readers: 'follower' | 'both' = 'follower';
  let lagMs: number | null = null;
  let applied = 0;
  let replica: Replica | null = null;
  let queue: Promise<void> = Promise.resolve();
  let failure: unknown = null;
  const timers = new Set<NodeJS.Timeout>();

  function table(): RoutingTable {
    const [leader, follower] = [members[leading]?.address ?? '', members[1 - leading]?.address ?? ''];
    return {
      ROUTE: [leader, follower],
      READ: readers === 'both' || isElecting ? [leader, follower] : [follower],
      WRITE: isElecting ? [] : [leader],
    };
  }

  function open(index: number): Promise<BoltMember> {
    return openBoltMember({
      serverPort: serverPorts[index] ?? 0,
      table,
      ttl: TABLE_TTL,
      leads: () => index === leading && !isElecting,
      onCommit: (transaction) => {
        committed.push(transaction);
        if (lagMs !== null) applyAfter(lagMs, committed.length);
      },
    });
  }

  function applyAfter(milliseconds: number, count: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      applyUpTo(count).catch((error: unknown) => (failure ??= error));
    }, milliseconds);
    timers.add(timer);
  }

  /** One transaction after the other. */
  function applyUpTo(count: number): Promise<void> {
    queue = queue.then(async () => {
      if (applied >= count) return;
      replica ??= await openReplica(followerPort(), leader().signIn());
      for (; applied < count; applied += 1) await replica.apply(committed[applied] ?? []);
    });
    return queue;
  }

  const leader = (): BoltMember => members[leading] as BoltMember;
  const follower = (): BoltMember => members[1 - leading] as BoltMember;
  const followerPort = (): number => serverPorts[1 - leading] ?? 0;
  const members: readonly BoltMember[] = [await open(0), await open(1)];

  async function catchUp(): Promise<void> {
    await applyUpTo(committed.length);
    if (failure !== null) throw failure;
  }

  return {
    url: `neo4j://${leader().address}`,
    leader,
    follower,
    followerPort,
    lag: () => committed.length - applied,
    catchUp,
    follow: (milliseconds) => {
      lagMs = milliseconds;
      if (lagMs !== null) applyAfter(lagMs, committed.length);
    },
    setReaders: (kind) => {
      readers = kind;
    },
    exchangeLeader: async (meanwhile = () => Promise.resolve()) => {
      isElecting = true;
      try {
        await leader().commitsEnded();
        await catchUp();
        replica?.close();
        replica = null;
        await meanwhile();
        leading = 1 - leading;
      } finally {
        isElecting = false;
      }
    },
    close: async () => {
      for (const timer of timers) clearTimeout(timer);
      await queue.catch(() => undefined /* a test that needs it has called catchUp */);
      replica?.close();
      await Promise.all(members.map((member) => member.close()));
    },
  };
}
