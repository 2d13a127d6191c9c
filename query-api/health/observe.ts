/**
 * Collects the facts of the health check. Each part is asked with a deadline and fails alone: a part without an answer
 * is null.
 */
import { VECTOR_INDEXER } from '../../shared/contract/projector-names.js';
import type { CheckIndexMark, CheckMark } from '../../shared/integrity/journal-mark/check-mark.js';
import { type ObservedProjector, observeProjectors } from '../../shared/journal/observe-projectors.js';
import { fleetOf } from '../../shared/journal/projector-fleet.js';
import { withinDeadline } from '../../shared/kernel/concurrency/within-deadline.js';
import { messageOf, PalimpsestError } from '../../shared/kernel/errors.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { GraphReader } from '../../shared/ports/graph.js';
import type { DeadLetters, JournalReader, ProjectorState, ProjectorStates } from '../../shared/ports/journal.js';
import type { RebuildProgress } from '../../shared/ports/journal-identity.js';
import type { OutboxDepth, OutboxReader } from '../../shared/ports/outbox.js';
import type { TopicRecord } from '../../shared/ports/topic-records.js';
import type { VectorIndexReader } from '../../shared/ports/vectors.js';

export type Observation = {
  readonly graphAnswers: boolean;
  readonly vectorsAnswer: boolean;
  /** Sentences for an operator; each one makes the service degraded. */
  readonly problems: readonly string[];
  /** The running rebuild of the graph; null without one. */
  readonly rebuild: RebuildProgress | null;
  readonly journalAnswers: boolean;
  readonly memories: number | null;
  readonly unenriched: number | null;
  readonly vectors: number | null;
  /** The number of events that are committed but not yet indexed. */
  readonly inFlight: number | null;
  /**
   * True when the counts can be compared: an indexer runs, nothing was in flight before them, and nothing was committed
   * during them.
   */
  readonly isQuiet: boolean;
  /** True when a vector indexer runs. */
  readonly isIndexing: boolean | null;
  /** Events that are committed but not yet in the stream; undefined where the journal itself is the stream. */
  readonly outbox: OutboxDepth | null | undefined;
  /** The record of the event topic; undefined where the journal itself is the stream. */
  readonly topic: TopicRecord | null | undefined;
  readonly deadLetters: number | null;
  /** Dead letters of the vector indexer: each is a memory without its vector. */
  readonly unindexed: number | null;
  readonly projectors: readonly ProjectorState[];
  /** The progress of each projector; null when it cannot be read. */
  readonly progress: readonly ObservedProjector[] | null;
};

export type ObserveDependencies = {
  readonly graph: GraphReader;
  readonly vectors: VectorIndexReader;
  readonly journal: JournalReader;
  readonly deadLetters: DeadLetters;
  readonly projectorStates: ProjectorStates;
  readonly outbox?: Pick<OutboxReader, 'depth'>;
  readonly topicRecord?: () => Promise<TopicRecord | null>;
  /** Throws while writes fail. */
  readonly writable?: () => Promise<void>;
  /** Compares the graph with its journal. */
  readonly checkMark?: CheckMark;
  /** Compares the vector index with its journal. */
  readonly checkIndexMark?: CheckIndexMark;
  readonly excludedTypes: readonly string[];
  readonly timeoutMs: number;
  readonly logger: Logger;
};

const NOT_COMPARED = 'The graph could not be compared with its journal in time';

export function createObserve(dependencies: ObserveDependencies): () => Promise<Observation> {
  const {
    graph,
    vectors,
    journal,
    deadLetters,
    projectorStates,
    outbox,
    topicRecord,
    writable,
    checkMark,
    checkIndexMark,
    excludedTypes,
    timeoutMs,
    logger,
  } = dependencies;

  return async () => {
    const [headBefore, projectors] = await Promise.all([
      orNull('The journal', journal.head()),
      orNull('The projector states', projectorStates.list()),
    ]);
    const [
      graphAnswers,
      vectorsAnswer,
      writeProblem,
      finding,
      indexFinding,
      counts,
      points,
      letters,
      unindexed,
      depth,
      topic,
      progress,
    ] = await Promise.all([
      answers('The graph', graph.ping()),
      answers('The vector index', vectors.ping()),
      writable && problemIn(writable()),
      checkMark && orNull('The comparison of graph and journal', checkMark()),
      checkIndexMark && orNull('The comparison of index and journal', checkIndexMark()),
      orNull('The count of memories', graph.counts({ excludedTypes })),
      orNull('The count of vectors', vectors.count({ excludedTypes })),
      orNull('The dead letters', deadLetters.count()),
      orNull('The dead letters', deadLetters.count(VECTOR_INDEXER)),
      outbox && orNull('The outbox', outbox.depth()),
      topicRecord && orNull('The record of the event topic', topicRecord()),
      projectors && orNull('The progress of projectors', observeProjectors(projectors, { journal, projectorStates })),
    ]);
    const headAfter = await orNull('The journal', journal.head());
    const indexer = projectors && fleetOf(VECTOR_INDEXER, projectors);
    const indexed = indexer && (indexer.furthestBehind?.position ?? 0);
    return {
      graphAnswers,
      vectorsAnswer,
      problems: [
        ...(writeProblem ? [writeProblem] : []),
        ...(finding && 'problem' in finding ? [finding.problem] : []),
        // Without an answer nothing is known, and whole is not to be assumed. A store that is down is reported as such.
        ...(finding === null && graphAnswers && headAfter !== null ? [NOT_COMPARED] : []),
        ...(indexFinding && 'problem' in indexFinding ? [indexFinding.problem] : []),
      ],
      rebuild: finding && 'rebuild' in finding ? finding.rebuild : null,
      journalAnswers: headAfter !== null,
      memories: counts?.memories ?? null,
      unenriched: counts?.unenriched ?? null,
      vectors: points,
      inFlight: headAfter === null || indexed === null ? null : Math.max(0, headAfter - indexed),
      isQuiet:
        headBefore !== null &&
        headBefore === headAfter &&
        indexer?.isRunning === true &&
        indexed !== null &&
        indexed >= headBefore,
      isIndexing: indexer && indexer.isRunning,
      outbox: depth,
      topic,
      deadLetters: letters,
      unindexed,
      projectors: projectors ?? [],
      progress: progress?.projectors ?? null,
    };
  };

  async function orNull<T>(name: string, work: Promise<T>): Promise<T | null> {
    try {
      return await withinDeadline(work, { milliseconds: timeoutMs, name });
    } catch (error) {
      // A health check comes every few seconds: an expected failure is logged without its stack.
      const reason = error instanceof PalimpsestError ? { reason: error.message } : { err: error };
      logger.warn(reason, `${name} did not answer the health check`);
      return null;
    }
  }

  /** The message of a failed check. */
  async function problemIn(check: Promise<void>): Promise<string | null> {
    try {
      await withinDeadline(check, { milliseconds: timeoutMs, name: 'A write' });
      return null;
    } catch (error) {
      return messageOf(error);
    }
  }

  async function answers(name: string, ping: Promise<void>): Promise<boolean> {
    return (
      (await orNull(
        name,
        ping.then(() => true),
      )) ?? false
    );
  }
}
