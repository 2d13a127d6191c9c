/**
 * Enriches a memory once the vector index has it: names in its content, a summary, and associations. It writes nothing
 * itself: it sends the result to the command API with the version that it read, so a change in between always wins.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { RecordConsolidation } from '../../shared/contract/consolidation/commands.js';
import type { EnrichmentFailure, RecordEnrichments } from '../../shared/contract/enrichment.js';
import { ENRICHER } from '../../shared/contract/projector-names.js';
import type { Clock } from '../../shared/kernel/clock.js';
import { type GiveWay, NEVER_GIVES_WAY } from '../../shared/kernel/concurrency/give-way.js';
import { pollUntil } from '../../shared/kernel/concurrency/poll-until.js';
import { DependencyError, reportOf } from '../../shared/kernel/errors.js';
import type { Embedder, EmbeddingCache } from '../../shared/ports/embedder.js';
import type { GraphReader } from '../../shared/ports/graph.js';
import type { DeadLetters, JournalReader, ProjectorStates } from '../../shared/ports/journal.js';
import type { EventPublisher } from '../../shared/ports/stream.js';
import type { VectorIndexReader } from '../../shared/ports/vectors.js';
import { PoisonedEventsError, type Projector } from '../projector.js';
import { type AheadPorts, createReadAhead } from '../read-ahead.js';
import { createAttemptAll, type Failure, SLICE_MEMORIES } from './attempt-all.js';
import type { EnricherConfig } from './enricher-config.js';
import { createEraseCopies } from './erase-copies.js';
import { createFindPassed } from './find-passed.js';
import { createObservePatterns } from './observe-patterns.js';
import { recordAll } from './record-all.js';
import { createRedrawPatterns } from './redraw-patterns.js';
import { createSelectReady } from './select-ready.js';
import { createTally } from './tally.js';
import { type WantedEnrichment, wantedEnrichments } from './wanted-enrichments.js';

/**
 * The index is about ten ms behind. After this time without progress, the source delivers the events again, after a
 * longer wait.
 */
export const INDEX_WAIT_MS = 2_000;
const INDEX_POLL_MS = 50;
const INDEX_RETRY_SECONDS = 1;
const REASON_LENGTH = 500;
/** Memories ahead of a backlog that wait for the index. */
const AHEAD_WAITING = 128;

export type EnricherDependencies = {
  readonly graph: Pick<GraphReader, 'memories' | 'counts' | 'trending' | 'newestWithin' | 'entityPage' | 'idsByTag'>;
  readonly vectors: Pick<VectorIndexReader, 'versions' | 'search'>;
  readonly cache: Pick<EmbeddingCache, 'get'>;
  /** Of the vector indexer. */
  readonly embedder: Pick<Embedder, 'model' | 'dimension'>;
  readonly deadLetters: Pick<DeadLetters, 'find'>;
  /** The states of the vector indexer. */
  readonly states: Pick<ProjectorStates, 'list'>;
  readonly journal: Pick<JournalReader, 'read'>;
  readonly record: RecordEnrichments;
  /** Erases copies of deleted memories. */
  readonly recordConsolidation: RecordConsolidation;
  readonly publisher: Pick<EventPublisher, 'notify'>;
  readonly clock: Clock;
  readonly config: EnricherConfig;
  readonly indexWaitMs?: number;
  /**
   * Whether requests of callers are open, to which a backlog gives way. Default: always, for a process that cannot
   * know.
   */
  readonly areCallersWaiting?: (() => boolean) | undefined;
  /** To the callers of other tenants. */
  readonly giveWay?: GiveWay | undefined;
  /** Absent: memories are enriched in the order of their events. */
  readonly ahead?: AheadPorts;
};

export function createEnricher({
  config,
  record,
  indexWaitMs = INDEX_WAIT_MS,
  areCallersWaiting = () => true,
  giveWay = NEVER_GIVES_WAY,
  ahead,
  ...ports
}: EnricherDependencies): Projector {
  const tally = createTally(ports);
  const selectReady = createSelectReady({ ...ports, findPassed: createFindPassed(ports) });
  const redrawPatterns = createRedrawPatterns({ ...ports, record });
  const eraseCopies = createEraseCopies({ ...ports, record: ports.recordConsolidation });
  const attemptAll = createAttemptAll({
    ...ports,
    ...config,
    record,
    tally,
    areCallersWaiting,
    giveWay,
    observePatterns: createObservePatterns(ports),
  });

  /** Attempts each memory for the first time, as soon as the index has it. Returns the memories that failed. */
  async function attemptWhenIndexed(
    wanted: readonly WantedEnrichment[],
    signal: AbortSignal,
  ): Promise<readonly Failure[]> {
    if (wanted.length === 0) return [];
    const failures: Failure[] = [];
    let left = wanted;
    let progressAt = performance.now();
    async function attemptReady(): Promise<boolean> {
      const { ready, waiting } = await selectReady(left);
      if (ready.length > 0) failures.push(...(await attemptAll(ready, 1)));
      if (waiting.length < left.length) progressAt = performance.now();
      left = waiting;
      if (left.length > 0 && performance.now() - progressAt >= indexWaitMs) throw notIndexed(left.length);
      return left.length === 0;
    }
    await pollUntil(attemptReady, { everyMs: INDEX_POLL_MS, signal });
    return failures;
  }

  const readAhead = ahead && createReadAhead(ahead);

  /** As `attemptWhenIndexed`; memories that are written alone meanwhile do not wait for a backlog. */
  async function attemptInTurn(wanted: readonly WantedEnrichment[], signal: AbortSignal): Promise<readonly Failure[]> {
    if (readAhead === undefined || wanted.length <= SLICE_MEMORIES) return attemptWhenIndexed(wanted, signal);
    const after = Math.max(...wanted.map(({ position }) => position));
    let failures: readonly Failure[] = [];
    let left: readonly WantedEnrichment[] = [];
    await readAhead({
      after,
      handle: async (events) => {
        const newest = new Map([...left, ...wantedEnrichments(events)].map((each) => [each.id, each]));
        const { ready, waiting } = await selectReady([...newest.values()]);
        left = waiting.slice(-AHEAD_WAITING);
        if (ready.length > 0) await attemptAll(ready, 1); // what fails here is attempted again in its turn
      },
      backlog: async () => {
        failures = await attemptWhenIndexed(wanted, signal);
      },
    });
    return failures;
  }

  /** Tries failed memories again. Returns the memories whose last attempt failed. */
  async function retryFailures(failures: readonly Failure[], signal: AbortSignal): Promise<readonly Failure[]> {
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

  async function reportFailures(failures: readonly Failure[]): Promise<void> {
    if (failures.length === 0) return;
    await recordAll(
      record,
      failures.map((failure) => failureOf(failure, config.maxAttempts)),
    );
    throw new PoisonedEventsError(
      failures.map(({ job, error }) => ({
        eventId: job.wanted.eventId,
        error,
        attempts: config.maxAttempts,
      })),
    );
  }

  return {
    name: ENRICHER,
    handles: ['memory.stored', 'memory.updated', 'memory.enrichment.requested', 'memory.deleted'],
    project: async (events, signal) => {
      await redrawPatterns(events);
      await eraseCopies(events);
      const failures = await attemptInTurn(wantedEnrichments(events), signal);
      await reportFailures(await retryFailures(failures, signal));
    },
    detail: () => tally.detail(),
  };
}

function notIndexed(count: number): DependencyError {
  return new DependencyError('vectors', `${count} memories to enrich are not in the vector index yet`, {
    isWait: true,
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
    error: reportOf(error).slice(0, REASON_LENGTH),
  };
}
