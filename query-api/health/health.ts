/**
 * GET /health: always 200; the body says what is wrong. "connected" means that the engine answered during this request.
 */
import type { ReplyOf } from '../../shared/contract/operations.js';
import { DRIFT_REPAIRER } from '../../shared/contract/projector-names.js';
import type { Handler } from '../../shared/http/handler.js';
import { type Clock, formatTimestamp } from '../../shared/kernel/clock.js';
import type { TopicRecord } from '../../shared/ports/topic-records.js';
import { enrichmentStateOf } from './enrichment-state.js';
import type { Observation } from './observe.js';

/** Facts that only the composition knows. */
export type About = {
  readonly version: string;
  /** The name of the graph database. */
  readonly graph: string;
  /** `VECTOR_SIZE`. Without it, the dimension of the encoder is the configured one. */
  readonly vectorSize?: number | undefined;
};

type Dependencies = {
  readonly observe: () => Promise<Observation>;
  readonly about: About;
  /**
   * The dimension of the encoder and of the index. Both may change after the start, so they are read for each request.
   */
  readonly embedder: { readonly dimension: number };
  readonly vectors: { readonly dimension: number };
  readonly clock: Clock;
};

export function createHealth({ observe, about, embedder, vectors, clock }: Dependencies): Handler<'health'> {
  return async () => {
    const observation = await observe();
    const graph = connection(observation.graphAnswers);
    return {
      status: 200,
      body: {
        status: healthStatusOf(observation),
        problems: [...observation.problems, ...emptyIndexProblem(observation)],
        rebuilding: rebuildSummary(observation),
        neo4j: graph,
        falkordb: graph,
        qdrant: connection(observation.vectorsAnswer),
        memory_count: observation.memories,
        vector_count: observation.vectors,
        sync_status: syncStatusOf(observation),
        in_flight: observation.inFlight,
        indexer: indexerStatus(observation),
        journal: connection(observation.journalAnswers),
        ...(observation.outbox !== undefined && { outbox: outboxSummary(observation.outbox) }),
        ...(observation.topic !== undefined && { stream: streamSummary(observation.topic) }),
        dead_letters: observation.deadLetters,
        projectors: progressSummary(observation),
        vector_dimensions: dimensions(observation),
        drift: driftSummary(observation),
        enrichment: enrichmentSummary(observation),
        timestamp: formatTimestamp(clock.now()),
        graph: about.graph,
        version: about.version,
      },
    };
  };

  function dimensions({ vectorsAnswer }: Observation) {
    const collection = vectorsAnswer ? vectors.dimension : null;
    const configured = about.vectorSize ?? embedder.dimension;
    return {
      configured,
      effective: embedder.dimension,
      collection,
      mismatch: collection !== null && collection !== configured,
    };
  }
}

function enrichmentSummary({ projectors, unenriched }: Observation) {
  const { status, pending, inflight, successes, failures } = enrichmentStateOf(projectors, unenriched ?? 0);
  return { status, queue_depth: pending, pending, inflight, processed: successes, failed: failures };
}

function rebuildSummary({ rebuild }: Observation) {
  return rebuild && { events: rebuild.events, subjects: rebuild.subjects, total_subjects: rebuild.totalSubjects };
}

function driftSummary({ projectors }: Observation): ReplyOf<'health'>['drift'] {
  const detail = projectors.find(({ name }) => name === DRIFT_REPAIRER)?.detail;
  if (!detail) return null;
  // As the drift repairer saved it.
  const {
    checked_at: checkedAt,
    missing,
    orphaned,
    stale,
    repaired,
  } = detail as NonNullable<ReplyOf<'health'>['drift']>;
  return { checked_at: checkedAt, missing, orphaned, stale, repaired };
}

function progressSummary({ progress }: Observation) {
  return (
    progress &&
    Object.fromEntries(
      progress.map(({ name, status, lag }) => [name, { status, lag_events: lag.events, lag_seconds: lag.seconds }]),
    )
  );
}

function indexerStatus({ isIndexing }: Observation): 'running' | 'stopped' | null {
  if (isIndexing === null) return null;
  return isIndexing ? 'running' : 'stopped';
}

function outboxSummary(depth: NonNullable<Observation['outbox']> | null) {
  return (
    depth && {
      pending: depth.pending,
      applied: depth.applied,
      oldest_ms: depth.oldestMs,
      dead_letters: depth.dead,
      oldest_dead_letter_ms: depth.oldestDeadMs,
    }
  );
}

function connection(answers: boolean): 'connected' | 'disconnected' {
  return answers ? 'connected' : 'disconnected';
}

/**
 * Says in words that the vector index has no vector of the memories in the graph. Pure. Events in flight and dead
 * letters of the indexer explain missing vectors, so an index is empty only when they are fewer than the memories.
 */
export function emptyIndexProblem({ memories, vectors, inFlight, unindexed }: Observation): readonly string[] {
  if (memories === null || vectors !== 0 || inFlight === null || unindexed === null) return [];
  if (memories <= inFlight + unindexed) return [];
  return [
    `The vector index was emptied or replaced by an empty one: it has no vector, and the graph has memories (${memories}). ` +
      'Put the data of the index back, or write all points again with POST /admin/sync',
  ];
}

/**
 * The state of the event topic for the health reply: its partitions, and how often its events had to come from the
 * journal. Pure.
 */
export function streamSummary(record: TopicRecord | null) {
  if (record === null) return null;
  const added = Math.max(0, record.partitions - record.ends.length);
  return {
    partitions: record.ends.length,
    added_partitions: added,
    generation: record.generation,
    warning:
      added === 0
        ? null
        : `The event topic has ${added} more partitions than events are distributed over: they stay empty. To use them, delete the topic: it is created again with KAFKA_PARTITIONS.`,
  };
}

type SyncStatus = 'unknown' | 'synced' | 'drift_detected' | 'orphaned_vectors';

/**
 * Classifies the observed numbers: sync status and health status. Work in flight is not drift. Pure. Different counts
 * mean something only when they differ by more than the events in flight. A memory that could not be indexed is always
 * drift. `inFlight` is a sound bound also under load: the positions of the indexer are read before the counts, the
 * head after them.
 */
export function syncStatusOf({ memories, vectors, inFlight, isQuiet, unindexed }: Observation): SyncStatus {
  if (memories === null || vectors === null) return 'unknown';
  if ((unindexed ?? 0) > 0) return 'drift_detected';
  const unexplained = isQuiet ? 0 : (inFlight ?? Infinity);
  if (memories - vectors > unexplained) return 'drift_detected';
  return vectors - memories > unexplained ? 'orphaned_vectors' : 'synced';
}

/** An outbox row that waits longer than this for the graph or the stream is delayed. */
const OUTBOX_DELAY_LIMIT_MS = 30_000;

/**
 * `degraded`: an engine does not answer, vectors are missing, the graph is empty under an index with vectors, no
 * indexer runs, the outbox does not move, the commit has dead letters, or another problem was observed.
 */
export function healthStatusOf(observation: Observation): 'healthy' | 'degraded' {
  const { graphAnswers, vectorsAnswer, journalAnswers, isIndexing, outbox } = observation;
  const isMoving = isIndexing === true && (outbox?.oldestMs ?? 0) < OUTBOX_DELAY_LIMIT_MS && (outbox?.dead ?? 0) === 0;
  const allAnswer = graphAnswers && vectorsAnswer && journalAnswers;
  return allAnswer && isMoving && observation.problems.length === 0 && hasAllMemories(observation)
    ? 'healthy'
    : 'degraded';
}

/** Orphaned vectors alone are harmless. All vectors orphaned means that the graph lost its memories. */
function hasAllMemories(observation: Observation): boolean {
  const sync = syncStatusOf(observation);
  return sync !== 'drift_detected' && !(sync === 'orphaned_vectors' && observation.memories === 0);
}
