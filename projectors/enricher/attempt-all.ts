/**
 * One attempt to enrich several memories: writes the patterns that they exemplify, then reads, enriches and records
 * them in slices. A memory fails alone. A retryable error is thrown after the results of the other memories are
 * recorded.
 */
import type { EnrichmentOutcome, EnrichmentResult, RecordEnrichments } from '../../shared/contract/enrichment.js';
import type { Timestamp } from '../../shared/contract/memory.js';
import { type Clock, formatTimestamp } from '../../shared/kernel/clock.js';
import type { GiveWay } from '../../shared/kernel/concurrency/give-way.js';
import { mapConcurrently } from '../../shared/kernel/concurrency/map-concurrently.js';
import { throttled } from '../../shared/kernel/concurrency/throttled.js';
import { isRetryable, toError } from '../../shared/kernel/errors.js';
import { type Embedder, type EmbeddingCache, embeddingRef } from '../../shared/ports/embedder.js';
import type { GraphReader } from '../../shared/ports/graph.js';
import { createDerivePredecessors } from './derive-predecessors.js';
import { type BatchContext, enrichMemory, type EnrichMemoryDependencies } from './enrich-memory.js';
import type { Observed } from './observe-patterns.js';
import { type Pattern, patternOf } from './pattern.js';
import { recordAll } from './record-all.js';
import type { Job } from './select-ready.js';
import type { Tally } from './tally.js';

/**
 * Memories that share their reads and one command: enough of them to save messages, few enough that a caller waits
 * about 10 ms for them.
 */
export const SLICE_MEMORIES = 12;
const CONCURRENT_SLICES = 2;
/** Pause after a slice of a backlog while callers wait, as a share of its time. */
const PAUSE_PERCENT = 100;

/** What all slices of an attempt share. */
type Shared = Pick<BatchContext, 'now' | 'patterns'>;

export type Failure = { readonly job: Job; readonly error: Error };
/**
 * `attempt` counts from 1. Returns the memories that failed with an error that is not retryable; throws a retryable
 * error.
 */
export type AttemptAll = (jobs: readonly Job[], attempt: number) => Promise<readonly Failure[]>;

export function createAttemptAll({
  cache,
  embedder,
  observePatterns,
  record,
  tally,
  clock,
  maxAttempts,
  areCallersWaiting,
  giveWay,
  graph,
  ...dependencies
}: EnrichMemoryDependencies & {
  readonly graph: Pick<GraphReader, 'newestWithin'>;
  readonly cache: Pick<EmbeddingCache, 'get'>;
  /** Of the vector indexer. */
  readonly embedder: Pick<Embedder, 'model' | 'dimension'>;
  readonly observePatterns: (jobs: readonly Job[], now: Timestamp) => Promise<Observed>;
  readonly record: RecordEnrichments;
  readonly tally: Tally;
  readonly clock: Clock;
  readonly maxAttempts: number;
  readonly areCallersWaiting: () => boolean;
  readonly giveWay: GiveWay;
}): AttemptAll {
  async function readContext(jobs: readonly Job[], { now, patterns }: Shared): Promise<BatchContext> {
    const { model, dimension } = embedder; // one for the whole attempt: a rebuild of the index may change it meanwhile
    /** A supplied vector comes first, where it fits the index; otherwise the indexer has embedded the content. */
    const refsOf = ({ loaded: { memory, vectorRef } }: Job): readonly string[] => {
      const ofContent = embeddingRef(model, memory.content);
      return vectorRef === null ? [ofContent] : [vectorRef, ofContent];
    };
    const found = await cache.get(jobs.flatMap(refsOf));
    const vectorOf = (job: Job) =>
      refsOf(job)
        .map((ref) => found.get(ref))
        .find((vector) => vector?.length === dimension);
    return { vectorOf, model, patterns, derivePredecessors: createDerivePredecessors({ graph, now }), now };
  }

  /**
   * Writes new patterns before the memories, because an association needs its target. A pattern whose write failed is
   * left out.
   */
  async function patternsFor(jobs: readonly Job[], now: Timestamp): Promise<ReadonlyMap<string, Pattern>> {
    const { commands, patterns } = await observePatterns(jobs, now);
    const outcomes = await recordAll(record, commands);
    const written = commands
      .filter((_, index) => outcomes[index] === 'done')
      .flatMap((command) => patternOf(command.metadata) ?? []);
    return new Map([...patterns, ...written.map((pattern) => [pattern.type, pattern] as const)]);
  }

  async function enrichOne(job: Job, context: BatchContext): Promise<EnrichmentResult | Error> {
    try {
      return await enrichMemory(job, context, dependencies);
    } catch (error) {
      return toError(error);
    }
  }

  /** One outcome per job, in order. Two slices at a time: one is derived while the other one is recorded. */
  async function outcomesOf(jobs: readonly Job[]): Promise<readonly (EnrichmentOutcome | Error)[]> {
    const now = formatTimestamp(clock.now());
    const shared = { now, patterns: await patternsFor(jobs, now) };
    const slices = slicesOf(jobs, SLICE_MEMORIES);
    const pausePercent = (): number => (slices.length > 1 && areCallersWaiting() ? PAUSE_PERCENT : 0);
    const outcomes = await mapConcurrently(slices, CONCURRENT_SLICES, async (slice) => {
      if (slices.length > 1) await giveWay.turn();
      return throttled({ pausePercent: pausePercent() }, () => enrichSlice(slice, shared));
    });
    return outcomes.flat();
  }

  async function enrichSlice(jobs: readonly Job[], shared: Shared): Promise<readonly (EnrichmentOutcome | Error)[]> {
    const context = await readContext(jobs, shared);
    const results = await Promise.all(jobs.map((job) => enrichOne(job, context)));
    const enriched = results.flatMap((result) => (result instanceof Error ? [] : [result]));
    const recorded = (await recordAll(record, enriched)).values();
    return results.map((result) =>
      result instanceof Error
        ? result
        : (recorded.next().value ?? new Error('The command API returned fewer outcomes than commands')),
    );
  }

  return async (jobs, attempt) => {
    const attempts = jobs.map((job) => ({ job, report: tally.begin(job.loaded.memory.id, attempt) }));
    const outcomes = await outcomesOf(jobs).catch((error: unknown) => {
      for (const { report } of attempts) report.failed(toError(error), true);
      throw error;
    });
    const failures: Failure[] = [];
    for (const [index, { job, report }] of attempts.entries()) {
      const outcome = outcomes[index];
      if (outcome instanceof Error) {
        report.failed(outcome, isRetryable(outcome) || attempt < maxAttempts);
        failures.push({ job, error: outcome });
      } else report.succeeded(outcome === 'done');
    }
    const retryable = failures.find(({ error }) => isRetryable(error));
    if (retryable) throw retryable.error;
    return failures;
  };
}

function slicesOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
