/**
 * Finds out what stands in and around a memory, once the vector index has it, and has the command side record it: it writes nothing itself
 * and names the version that it worked on, so a change by somebody else in between always stands.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { EnrichmentFailure, RecordEnrichments } from '../../shared/contract/enrichment.js';
import type { EmbeddingCache } from '../../shared/embedding/embedder.js';
import type { GraphReader } from '../../shared/graph/graph.js';
import type { DeadLetters } from '../../shared/journal/journal.js';
import { ENRICHER } from '../../shared/contract/projector-names.js';
import type { Clock } from '../../shared/kernel/clock.js';
import { DependencyError } from '../../shared/kernel/errors.js';
import type { EventPublisher } from '../../shared/stream/stream.js';
import type { VectorIndexReader } from '../../shared/vectors/vectors.js';
import { PoisonedEventsError } from '../poisoned-events-error.js';
import type { Projector } from '../projector.js';
import { createAttemptAll, type Failure } from './create-attempt-all.js';
import { createObservePatterns } from './create-observe-patterns.js';
import { createTakeReady } from './create-take-ready.js';
import { createTally } from './create-tally.js';
import type { EnricherConfig } from './enricher-config.js';
import { recordAll } from './record-all.js';
import { wantedEnrichments, type Wanted } from './wanted-enrichments.js';

/** The index is some ten ms behind; when it has got no further for so long, the events are left to the source, which waits longer. */
export const INDEX_WAIT_MS = 2_000;
const INDEX_LOOK_MS = 50;
const INDEX_RETRY_SECONDS = 1;
const REASON_LENGTH = 500;

export type EnricherDependencies = {
  readonly graph: Pick<GraphReader, 'memories' | 'counts' | 'trending'>;
  readonly vectors: Pick<VectorIndexReader, 'versions' | 'search'>;
  readonly cache: Pick<EmbeddingCache, 'get'>;
  /** `Embedder.model` of the vector indexer. */
  readonly model: string;
  readonly deadLetters: Pick<DeadLetters, 'find'>;
  readonly record: RecordEnrichments;
  readonly publisher: Pick<EventPublisher, 'notify'>;
  readonly clock: Clock;
  readonly config: EnricherConfig;
  readonly indexWaitMs?: number;
};

export function createEnricher({
  config,
  record,
  indexWaitMs = INDEX_WAIT_MS,
  ...ports
}: EnricherDependencies): Projector {
  const tally = createTally(ports);
  const takeReady = createTakeReady(ports);
  const attemptAll = createAttemptAll({
    ...ports,
    ...config,
    record,
    tally,
    observePatterns: createObservePatterns(ports),
  });

  /** The first attempt at each, as soon as the index has it. Those that failed come back. */
  async function attemptAsIndexed(wanted: readonly Wanted[], signal: AbortSignal): Promise<readonly Failure[]> {
    const failures: Failure[] = [];
    let left = wanted;
    let progressAt = performance.now();
    while (left.length > 0) {
      const { ready, waiting } = await takeReady(left);
      if (ready.length > 0) failures.push(...(await attemptAll(ready, 1)));
      if (waiting.length < left.length) progressAt = performance.now();
      left = waiting;
      if (left.length === 0) break;
      if (performance.now() - progressAt >= indexWaitMs) throw notIndexed(left.length);
      await pause(INDEX_LOOK_MS, undefined, { signal });
    }
    return failures;
  }

  /** Those that fail as often as they may. */
  async function attemptAgain(failures: readonly Failure[], signal: AbortSignal): Promise<readonly Failure[]> {
    let left = failures;
    for (let attempt = 2; attempt <= config.maxAttempts && left.length > 0; attempt += 1) {
      await pause(config.failureBackoffMs, undefined, { signal });
      left = await attemptAll(
        left.map(({ job }) => job),
        attempt,
      );
    }
    return left;
  }

  async function giveUp(failures: readonly Failure[]): Promise<void> {
    if (failures.length === 0) return;
    await recordAll(
      record,
      failures.map((failure) => failureOf(failure, config.maxAttempts)),
    );
    throw new PoisonedEventsError(
      failures.map(({ job, error }) => ({
        eventId: job.wanted.eventId,
        reason: error.message,
        attempts: config.maxAttempts,
      })),
    );
  }

  return {
    name: ENRICHER,
    handles: ['memory.stored', 'memory.updated', 'memory.enrichment.requested'],
    project: async (events, signal) => {
      const failures = await attemptAsIndexed(wantedEnrichments(events), signal);
      await giveUp(await attemptAgain(failures, signal));
    },
    detail: () => tally.detail(),
  };
}

function notIndexed(count: number): DependencyError {
  return new DependencyError('vectors', `${count} memories to enrich are not in the vector index yet`, {
    retryAfterSeconds: INDEX_RETRY_SECONDS,
  });
}

function failureOf({ job: { wanted, loaded }, error }: Failure, attempts: number): EnrichmentFailure {
  return {
    kind: 'failed',
    id: wanted.id,
    expectedVersion: loaded.version,
    causationId: wanted.eventId,
    attempts,
    error: error.message.slice(0, REASON_LENGTH),
  };
}
