/**
 * The task `cluster`: gives each group of similar memories a meta memory. Two memories are connected when enrichment
 * found them similar, so the cost grows with the number of memories and not with the number of their pairs.
 */
import { CLUSTER_SAMPLE } from '../../../shared/contract/consolidation/consolidate.js';
import type { MemoryId, Timestamp } from '../../../shared/contract/memory.js';
import { throttled } from '../../../shared/kernel/concurrency/throttled.js';
import type { LoadedMemory } from '../../../shared/ports/graph.js';
import type { JsonRecord } from '../../../shared/ports/jobs.js';
import { type Cluster, CLUSTER_ORIGIN, clusterOf, type Member, summaryOf } from './describe-cluster.js';
import { type Examined, examineMemories, isRelevant, PAUSE_PERCENT } from './examine-memories.js';
import { type RunTask, send, type TaskPorts, type TaskRun } from './task.js';

/** Smaller clusters are reported only. */
const META_MEMORY_FROM = 5;
/** Similar memories that are read of one memory; enrichment keeps fewer. */
const SIMILAR_READ = 50;
/** Meta memories that are written in one call. */
const BATCH = 50;
/** Ids of members in a sample. */
const SAMPLE_MEMBERS = 100;

export function createRunCluster(ports: TaskPorts): RunTask {
  return async (run) => {
    const { clusters, metaMemories } = await findClusters(ports, run);
    const lasting = clusters.filter(({ members }) => members.length >= META_MEMORY_FROM);
    const written = run.isDry ? 0 : await writeAll(lasting, ports, run);
    await archiveLeft(metaMemories, new Set(lasting.map(({ id }) => id)), { ...ports, ...run });
    const sample = clusters.slice(0, CLUSTER_SAMPLE);
    return {
      clusters_found: clusters.length,
      meta_memories_created: written,
      sample_clusters: sample.map((cluster) => sampleOf(cluster, run.now)),
    };
  };
}

type Found = { readonly clusters: readonly Cluster[]; readonly metaMemories: readonly LoadedMemory[] };

/** `metaMemories`: those of earlier runs that are not archived. The largest cluster comes first. */
async function findClusters(ports: TaskPorts, run: TaskRun): Promise<Found> {
  const found = createClusters<Member>();
  const metaMemories: LoadedMemory[] = [];
  for await (const { examined, others } of examineMemories(ports, { ...run, after: '' })) {
    metaMemories.push(...others.filter(isMetaMemory));
    const relevant = examined.filter(isRelevant);
    for (const { memory } of relevant)
      found.add(memory.id, { id: memory.id, type: memory.type, timestamp: memory.timestamp });
    for (const [one, other] of await similarPairs(relevant, ports)) found.connect(one, other);
  }
  const clusters = found
    .groups(ports.config.clusterSize)
    .map(clusterOf)
    .sort((one, other) => other.members.length - one.members.length || (one.id < other.id ? -1 : 1));
  return { clusters, metaMemories };
}

function isMetaMemory({ memory }: LoadedMemory): boolean {
  return memory.metadata['origin'] === CLUSTER_ORIGIN && memory.archived !== true;
}

async function similarPairs(
  examined: readonly Examined[],
  { graph, config }: TaskPorts,
): Promise<readonly (readonly [MemoryId, MemoryId])[]> {
  if (examined.length === 0) return [];
  const relations = await graph.relations({
    ids: examined.map(({ memory }) => memory.id),
    direction: 'outgoing',
    types: ['SIMILAR_TO'],
    minStrength: config.clusterSimilarity,
    limit: SIMILAR_READ,
  });
  return [...relations].flatMap(([id, similar]) => similar.map(({ memory }) => [id, memory.id as MemoryId] as const));
}

/** Resolves with the number of meta memories that were created or changed. */
async function writeAll(clusters: readonly Cluster[], ports: TaskPorts, run: TaskRun): Promise<number> {
  let written = 0;
  for (let from = 0; from < clusters.length; from += BATCH) {
    run.signal.throwIfAborted();
    const batch = clusters.slice(from, from + BATCH);
    const outcomes = await throttled({ pausePercent: PAUSE_PERCENT, signal: run.signal }, async () => {
      const contents = await contentsOf(batch, ports);
      const present = new Map(
        (await ports.graph.memories(batch.map(({ id }) => id))).map((one) => [one.memory.id, one]),
      );
      const commands = batch.map((cluster) =>
        summaryOf(cluster, {
          example: exampleOf(cluster, contents),
          version: present.get(cluster.id)?.version ?? 0,
        }),
      );
      return send(commands, { ...ports, ...run });
    });
    written += outcomes.filter((outcome) => outcome === 'done').length;
  }
  return written;
}

/** A meta memory whose cluster is gone is archived. It returns when the cluster returns. */
async function archiveLeft(
  metaMemories: readonly LoadedMemory[],
  lasting: ReadonlySet<MemoryId>,
  context: TaskPorts & TaskRun,
): Promise<void> {
  const left = metaMemories.filter(({ memory }) => !lasting.has(memory.id));
  const commands = left.map(({ memory, version }) => ({
    kind: 'archive' as const,
    id: memory.id,
    expectedVersion: version,
    relevance: 0,
    reason: 'Its memories no longer form a cluster.',
  }));
  await send(commands, context);
}

type Contents = ReadonlyMap<MemoryId, string>;

/** Of the oldest member of each cluster. */
async function contentsOf(clusters: readonly Cluster[], { graph }: TaskPorts): Promise<Contents> {
  const loaded = await graph.memories(clusters.flatMap(({ members }) => members[0]?.id ?? []));
  return new Map(loaded.map(({ memory }) => [memory.id, memory.content]));
}

function exampleOf({ members }: Cluster, contents: Contents): string {
  return (members[0] && contents.get(members[0].id)) ?? '';
}

/** The oldest member is the first. The answer to a request adds its words. */
function sampleOf(cluster: Cluster, now: Timestamp): JsonRecord {
  return {
    cluster_id: cluster.id,
    memory_ids: cluster.members.slice(0, SAMPLE_MEMBERS).map(({ id }) => id),
    size: cluster.members.length,
    dominant_type: cluster.dominantType,
    time_span_days: cluster.timeSpanDays,
    created_at: now,
  };
}

type Clusters<T> = {
  /** Adds a member once. */
  readonly add: (id: string, member: T) => void;
  /** Connects two ids; a pair with an id that never becomes a member counts for nothing. */
  readonly connect: (one: string, other: string) => void;
  /** The groups of at least `size` members, in the order in which their first member was added. */
  readonly groups: (size: number) => readonly (readonly T[])[];
};

/**
 * Groups memories that are connected by pairs: a union-find whose cost is nearly linear in the number of pairs (Tarjan
 * 1975).
 */
export function createClusters<T>(): Clusters<T> {
  const members = new Map<string, T>();
  const pairs: [string, string][] = [];

  function findRoots(): (id: string) => string {
    const parents = new Map<string, string>();
    const rootOf = (id: string): string => {
      let root = id;
      for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent;
      for (let at = id; at !== root;) {
        const next = parents.get(at) ?? root;
        parents.set(at, root);
        at = next;
      }
      return root;
    };
    for (const [one, other] of pairs) {
      if (!members.has(one) || !members.has(other)) continue;
      const [first, second] = [rootOf(one), rootOf(other)];
      if (first !== second) parents.set(second, first);
    }
    return rootOf;
  }

  return {
    add: (id, member) => void (members.has(id) || members.set(id, member)),
    connect: (one, other) => void pairs.push([one, other]),
    groups: (size) => {
      const rootOf = findRoots();
      const groups = new Map<string, T[]>();
      for (const [id, member] of members) {
        const root = rootOf(id);
        const group = groups.get(root);
        if (group) group.push(member);
        else groups.set(root, [member]);
      }
      return [...groups.values()].filter((group) => group.length >= size);
    },
  };
}
