/**
 * One attempt at several memories: what they share is read together, each is looked into, and what was found is recorded in few calls. A
 * memory that fails fails alone; what fails because something did not answer is thrown once the others are recorded.
 */
import type { EnrichmentOutcome, EnrichmentResult, RecordEnrichments } from '../../shared/contract/enrichment.js';
import type { Timestamp } from '../../shared/contract/memory.js';
import type { EmbeddingCache } from '../../shared/embedding/embedder.js';
import { embeddingRef } from '../../shared/embedding/embedding-ref.js';
import { formatTimestamp, type Clock } from '../../shared/kernel/clock.js';
import type { Observed } from './create-observe-patterns.js';
import type { Job } from './create-take-ready.js';
import type { Tally } from './create-tally.js';
import { patternOf, type Pattern } from './draft-pattern.js';
import { enrichMemory, type EnrichMemoryDependencies, type Surroundings } from './enrich-memory.js';
import { mayPass, recordAll } from './record-all.js';
import { sideBySide } from './side-by-side.js';

/** Memories whose reads are under way at a time: two readers are kept busy, and a recall waits behind few. */
const MEMORIES_AT_ONCE = 8;

export type Failure = { readonly job: Job; readonly error: Error };
/** `attempt` counts from 1. Those that failed for good come back. */
export type AttemptAll = (jobs: readonly Job[], attempt: number) => Promise<readonly Failure[]>;

export function createAttemptAll({
  cache,
  model,
  observePatterns,
  record,
  tally,
  clock,
  maxAttempts,
  ...dependencies
}: EnrichMemoryDependencies & {
  readonly cache: Pick<EmbeddingCache, 'get'>;
  /** `Embedder.model`. */
  readonly model: string;
  readonly observePatterns: (jobs: readonly Job[], now: Timestamp) => Promise<Observed>;
  readonly record: RecordEnrichments;
  readonly tally: Tally;
  readonly clock: Clock;
  readonly maxAttempts: number;
}): AttemptAll {
  async function surroundingsOf(jobs: readonly Job[]): Promise<Surroundings> {
    const now = formatTimestamp(clock.now());
    const refOf = ({ loaded: { memory, vectorRef } }: Job): string => vectorRef ?? embeddingRef(model, memory.content);
    const [found, patterns] = await Promise.all([cache.get(jobs.map(refOf)), patternsFor(jobs, now)]);
    return { vectorOf: (job) => found.get(refOf(job)), patterns, now };
  }

  /** They are written first, for an association needs its target. One that could not be written is nobody's pattern yet. */
  async function patternsFor(jobs: readonly Job[], now: Timestamp): Promise<ReadonlyMap<string, Pattern>> {
    const { commands, patterns } = await observePatterns(jobs, now);
    const outcomes = await recordAll(record, commands);
    const written = commands
      .filter((_, at) => outcomes[at] === 'done')
      .flatMap((command) => patternOf(command.metadata) ?? []);
    return new Map([...patterns, ...written.map((pattern) => [pattern.type, pattern] as const)]);
  }

  async function lookInto(job: Job, surroundings: Surroundings): Promise<EnrichmentResult | Error> {
    try {
      return await enrichMemory(job, surroundings, dependencies);
    } catch (error) {
      return errorOf(error);
    }
  }

  /** For each job what came of it. */
  async function outcomesOf(jobs: readonly Job[]): Promise<readonly (EnrichmentOutcome | Error)[]> {
    const surroundings = await surroundingsOf(jobs);
    const found = await sideBySide(jobs, MEMORIES_AT_ONCE, (job) => lookInto(job, surroundings));
    const results = found.flatMap((one) => (one instanceof Error ? [] : [one]));
    const recorded = (await recordAll(record, results)).values();
    return found.map((one) =>
      one instanceof Error ? one : (recorded.next().value ?? new Error('The command side gave too few outcomes')),
    );
  }

  return async (jobs, attempt) => {
    const attempts = jobs.map((job) => ({ job, told: tally.begin(job.loaded.memory.id, attempt) }));
    const outcomes = await outcomesOf(jobs).catch((error: unknown) => {
      for (const { told } of attempts) told.failed(errorOf(error), true);
      throw error;
    });
    const failures: Failure[] = [];
    for (const [at, { job, told }] of attempts.entries()) {
      const outcome = outcomes[at];
      if (outcome instanceof Error) {
        told.failed(outcome, mayPass(outcome) || attempt < maxAttempts);
        failures.push({ job, error: outcome });
      } else told.succeeded(outcome === 'done');
    }
    const passing = failures.find(({ error }) => mayPass(error));
    if (passing) throw passing.error;
    return failures;
  };
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
