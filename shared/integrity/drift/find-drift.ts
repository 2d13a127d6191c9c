/**
 * Compares the graph with the vector index: walks over both in order of their ids, then checks each difference a
 * second time.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { MemoryId } from '../../contract/memory.js';
import { throttled } from '../../kernel/concurrency/throttled.js';
import type { GraphReader, LoadedMemory } from '../../ports/graph.js';
import type { GraphScan } from '../../ports/graph-scan.js';
import type { ScannedPoint, VectorIndexReader } from '../../ports/vectors.js';
import { addCounts, countKinds, type DriftCounts, totalOf } from './drift-counts.js';
import { type DriftKind, driftKindOf, type Expected } from './drift-kind.js';

export type Difference = {
  readonly id: MemoryId;
  readonly kind: DriftKind;
  /** The version of the memory, or of the point where there is no memory. */
  readonly version: number;
};

export type Drift = {
  /** Memories and points that were compared. */
  readonly memories: number;
  readonly points: number;
  /** All differences. Those beyond the limit were checked only once. */
  readonly counts: DriftCounts;
  /** The first differences in order of their ids, at most the limit. */
  readonly differences: readonly Difference[];
  /** There are more differences than the limit. */
  readonly isCut: boolean;
};

export type DriftPorts = {
  readonly graph: Pick<GraphReader, 'memories'>;
  readonly graphScan: Pick<GraphScan, 'memories'>;
  readonly vectors: Pick<VectorIndexReader, 'scan' | 'points'>;
};

/** Memories or points in one page. A page of 1,000 blocks the event loop for longer than a recall takes. */
const PAGE = 500;
/** Pause after each page, in percent of its time. */
const PAUSE_PERCENT = 25;
/** Differences that are kept: an emptied index of millions of memories would otherwise fill the process. */
const DRIFT_LIMIT = 100_000;
/**
 * Writes go on during the comparison: this is the time for the indexer to write the point of a memory that was just
 * stored.
 */
export const SECOND_CHECK_MS = 1_000;

export async function findDrift(
  ports: DriftPorts,
  {
    secondCheckMs = SECOND_CHECK_MS,
    limit = DRIFT_LIMIT,
    signal,
    ...expected
  }: Expected & {
    readonly secondCheckMs?: number | undefined;
    /** Differences that are kept. */
    readonly limit?: number | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<Drift> {
  const first: Difference[] = [];
  const beyond = { missing: 0, orphaned: 0, stale: 0 } satisfies DriftCounts;
  let memories = 0;
  let points = 0;
  for await (const [loaded, point] of pairs(ports, signal)) {
    signal?.throwIfAborted();
    const isExcluded = expected.excludedTypes.includes(loaded?.memory.type ?? point?.payload.type ?? '');
    if (isExcluded) continue;
    if (loaded) memories += 1;
    if (point) points += 1;
    const difference = differenceOf(loaded, point, expected);
    if (difference && first.length < limit) first.push(difference);
    else if (difference) beyond[difference.kind] += 1;
  }
  if (first.length > 0) await pause(secondCheckMs, undefined, signal && { signal });
  const differences = await remaining(ports, first, expected);
  const counts = addCounts(beyond, countKinds(differences));
  return { memories, points, counts, differences, isCut: totalOf(beyond) > 0 };
}

/** The differences that are still there for the same version. */
export async function remaining(
  { graph, vectors }: Pick<DriftPorts, 'graph' | 'vectors'>,
  differences: readonly Difference[],
  expected: Expected,
): Promise<readonly Difference[]> {
  const left: Difference[] = [];
  for (let start = 0; start < differences.length; start += PAGE) {
    const group = differences.slice(start, start + PAGE);
    const ids = group.map(({ id }) => id);
    const memories = new Map((await graph.memories(ids)).map((loaded) => [loaded.memory.id, loaded]));
    const points = new Map((await vectors.points(ids)).map((point) => [point.id, point]));
    left.push(
      ...group.filter(({ id, kind, version }) => {
        const now = differenceOf(memories.get(id), points.get(id), expected);
        return now?.kind === kind && now.version === version;
      }),
    );
  }
  return left;
}

function differenceOf(
  loaded: LoadedMemory | undefined,
  point: ScannedPoint | undefined,
  expected: Expected,
): Difference | null {
  const kind = driftKindOf(loaded, point, expected);
  const id = loaded?.memory.id ?? point?.id;
  return kind === null || id === undefined ? null : { id, kind, version: loaded?.version ?? point?.version ?? 0 };
}

/**
 * Each memory with its point. Merges two walks, both in the order of ids; one of the two is undefined where the other
 * has no counterpart.
 */
async function* pairs(
  { graphScan, vectors }: DriftPorts,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly [LoadedMemory | undefined, ScannedPoint | undefined]> {
  const share = { pausePercent: PAUSE_PERCENT, signal };
  const memories = walk(
    (request) => throttled(share, () => graphScan.memories(request)),
    ({ memory }) => memory.id,
  );
  const points = walk(
    (request) => throttled(share, () => vectors.scan(request)),
    ({ id }) => id,
  );
  let [memory, point] = [await memories.next(), await points.next()];
  while (!memory.done || !point.done) {
    const memoryId = memory.done ? null : memory.value.memory.id;
    const pointId = point.done ? null : point.value.id;
    const takesMemory = memoryId !== null && (pointId === null || memoryId <= pointId);
    const takesPoint = pointId !== null && (memoryId === null || pointId <= memoryId);
    yield [takesMemory && !memory.done ? memory.value : undefined, takesPoint && !point.done ? point.value : undefined];
    if (takesMemory) memory = await memories.next();
    if (takesPoint) point = await points.next();
  }
}

/** Until an empty page: a page may be short because of a deletion meanwhile. */
async function* walk<T>(
  read: (request: { readonly after: string; readonly limit: number }) => Promise<readonly T[]>,
  idOf: (item: T) => string,
): AsyncGenerator<T, undefined> {
  for (let after = ''; ;) {
    const page = await read({ after, limit: PAGE });
    const last = page.at(-1);
    if (last === undefined) return undefined;
    yield* page;
    after = idOf(last);
  }
}
