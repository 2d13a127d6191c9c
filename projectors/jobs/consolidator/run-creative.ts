/**
 * The task `creative`: looks for associations between some memories of the day, their nearest neighbours in the vector
 * index, and each other. A pair of which a vector is missing is unknown, so it gives no finding.
 */
import { createHash } from 'node:crypto';
import type { Discovery } from '../../../shared/contract/consolidation/commands.js';
import { DISCOVERY_SAMPLE } from '../../../shared/contract/consolidation/consolidate.js';
import { type MemoryFilter, NO_CONDITIONS } from '../../../shared/contract/filter.js';
import type { Memory, MemoryId, Timestamp } from '../../../shared/contract/memory.js';
import type { JsonRecord } from '../../../shared/ports/jobs.js';
import { type Examined, examineMemories, isRelevant, withRelevance } from './examine-memories.js';
import { type RunTask, send, type TaskPorts, type TaskRun } from './task.js';

const SEEDS = 30;
/** Relevant ones of each seed. */
const NEIGHBOURS = 10;
/**
 * Nearest memories that are read of each seed, more than are used: the index shows what `forget` has just archived for
 * some time, and the relevant neighbours are the same with and without it.
 */
const NEIGHBOURS_READ = 50;
/** Of one memory; a hub has more, and may then get a finding with a memory that it is associated with. */
const ASSOCIATIONS_READ = 1_000;

export function createRunCreative(ports: TaskPorts): RunTask {
  return async (run) => {
    const seeds = await chooseSeeds(ports, run);
    const findings = await findAmong(seeds, ports, run);
    const outcomes = await send(findings.map(commandOf), { ...ports, ...run });
    const created = run.isDry ? 0 : outcomes.filter((outcome) => outcome === 'done').length;
    return {
      discovered: findings.length,
      created,
      sample_associations: findings.slice(0, DISCOVERY_SAMPLE).map((finding) => sampleOf(finding, run.now)),
    };
  };
}

/**
 * Memories that follow a position in the order of ids which depends on the date alone. So a second run on the same day
 * chooses the same memories, and over time every memory has its turn.
 */
async function chooseSeeds(ports: TaskPorts, run: TaskRun): Promise<readonly Examined[]> {
  const start = startOfDay(run.now);
  const seeds = new Map<MemoryId, Examined>();
  for (const after of [start, '']) {
    for await (const { examined, last } of examineMemories(ports, { ...run, after })) {
      for (const one of examined) {
        if (seeds.size < SEEDS && isRelevant(one)) seeds.set(one.memory.id, one);
      }
      if (seeds.size >= SEEDS || (after === '' && last > start)) break;
    }
    if (seeds.size >= SEEDS) break;
  }
  return [...seeds.values()];
}

function startOfDay(now: Timestamp): string {
  const [hash, date] = [createHash('sha256'), now.slice(0, 'YYYY-MM-DD'.length)];
  return hash.update(date).digest('hex').slice(0, 8);
}

async function findAmong(
  seeds: readonly Examined[],
  ports: TaskPorts,
  { now, signal }: TaskRun,
): Promise<readonly Finding[]> {
  const ids = seeds.map(({ memory }) => memory.id);
  if (ids.length === 0) return [];
  const [vectors, linked] = await Promise.all([ports.vectors.vectors(ids), readLinked(ids, ports)]);
  const findings = new Map<string, Finding>();
  const consider = (one: Examined, other: Examined, similarity: number): void => {
    const pair = pairOf(one.memory.id, other.memory.id);
    const finding = linked.has(pair) ? null : classifyPair(one.memory, other.memory, similarity);
    if (finding) findings.set(pair, finding);
  };
  for (const [index, seed] of seeds.entries()) {
    signal.throwIfAborted();
    const vector = vectors.get(seed.memory.id);
    if (vector === undefined) continue;
    for (const other of seeds.slice(index + 1)) {
      const another = vectors.get(other.memory.id);
      if (another !== undefined) consider(seed, other, cosine(vector, another));
    }
    for (const { other, similarity } of await readNeighbours(seed, { vector, now }, ports))
      consider(seed, other, similarity);
  }
  return [...findings.values()];
}

async function readNeighbours(
  seed: Examined,
  { vector, now }: { readonly vector: Float32Array; readonly now: Timestamp },
  ports: TaskPorts,
): Promise<readonly { readonly other: Examined; readonly similarity: number }[]> {
  const hits = await ports.vectors.search({ vector, limit: NEIGHBOURS_READ + 1, filter: filterAt(now) });
  const similarity = new Map(hits.filter(({ id }) => id !== seed.memory.id).map((hit) => [hit.id, hit.similarity]));
  if (similarity.size === 0) return [];
  const examined = await withRelevance(await ports.graph.memories([...similarity.keys()]), now, ports);
  return examined
    .filter(isRelevant)
    .map((other) => ({ other, similarity: similarity.get(other.memory.id) ?? 0 }))
    .sort((one, other) => other.similarity - one.similarity || (one.other.memory.id < other.other.memory.id ? -1 : 1))
    .slice(0, NEIGHBOURS);
}

function filterAt(now: Timestamp): MemoryFilter {
  return { ...NO_CONDITIONS, excludedTypes: ['MetaPattern'], state: 'unarchived', now };
}

/** Pairs with an association of any type, also one that consolidation found before. */
async function readLinked(ids: readonly MemoryId[], { graph }: TaskPorts): Promise<ReadonlySet<string>> {
  const relations = await graph.relations({ ids, direction: 'both', limit: ASSOCIATIONS_READ });
  return new Set([...relations].flatMap(([id, found]) => found.map(({ memory }) => pairOf(id, memory.id as MemoryId))));
}

function pairOf(one: MemoryId, other: MemoryId): string {
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}

/** Of vectors of unit length. */
function cosine(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
}

function commandOf({ source, target, kind, confidence, similarity }: Finding): Discovery {
  return {
    kind: 'discovery',
    source,
    target,
    strength: confidence,
    properties: { kind, confidence, similarity, origin: 'consolidation' },
    reason: `Consolidation found ${kind} at a similarity of ${similarity.toFixed(2)}.`,
  };
}

/** As the contract names its parts. */
function sampleOf({ source, target, kind, confidence, similarity }: Finding, at: Timestamp): JsonRecord {
  return {
    memory1_id: source,
    memory2_id: target,
    type: kind === 'contrasts_with' ? 'CONTRASTS_WITH' : 'DISCOVERED',
    kind,
    confidence,
    similarity,
    discovered_at: at,
  };
}

type Finding = {
  readonly source: MemoryId;
  readonly target: MemoryId;
  readonly kind: 'contrasts_with' | 'explains' | 'shares_theme' | 'parallel_context';
  readonly confidence: number;
  readonly similarity: number;
};

const WEEK_MS = 7 * 86_400_000;

type One = Pick<Memory, 'id' | 'type' | 'timestamp'>;

/**
 * What consolidation finds between two memories that no association connects. The rules are those of AutoMem's
 * consolidation. `similarity`: the cosine of their vectors. Null when the pair is not remarkable. The result does not
 * depend on the order of the two.
 */
export function classifyPair(one: One, other: One, similarity: number): Finding | null {
  const [first, second] = one.id < other.id ? [one, other] : [other, one];
  const found = (
    kind: Finding['kind'],
    confidence: number,
    [source, target]: readonly [One, One] = [first, second],
  ) => ({
    source: source.id,
    target: target.id,
    kind,
    confidence,
    similarity,
  });
  if (one.type === 'Decision' && other.type === 'Decision' && similarity < 0.3) return found('contrasts_with', 0.6);
  if (similarity > 0.5 && isInsightOfPattern(first, second)) return found('explains', 0.7, [first, second]);
  if (similarity > 0.5 && isInsightOfPattern(second, first)) return found('explains', 0.7, [second, first]);
  if (similarity > 0.7 && one.type !== other.type) return found('shares_theme', similarity);
  const apartMs = Math.abs(Date.parse(one.timestamp) - Date.parse(other.timestamp));
  return similarity < 0.4 && apartMs < WEEK_MS ? found('parallel_context', 0.5) : null;
}

function isInsightOfPattern(one: One, other: One): boolean {
  return one.type === 'Insight' && other.type === 'Pattern';
}
