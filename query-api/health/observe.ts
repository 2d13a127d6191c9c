/** Asks every part that health speaks of, each under a deadline and each failing alone: what did not answer is null. */
import type { GraphReader } from '../../shared/graph/graph.js';
import type { DeadLetters, JournalReader, ProjectorState, ProjectorStates } from '../../shared/journal/journal.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { VectorIndexReader } from '../../shared/vectors/vectors.js';
import { withinDeadline } from '../deadline.js';

export const VECTOR_INDEXER = 'vector-indexer';

export type Observation = {
  readonly graphAnswers: boolean;
  readonly vectorsAnswer: boolean;
  readonly memories: number | null;
  readonly unenriched: number | null;
  readonly vectors: number | null;
  /** Events committed and not yet indexed. */
  readonly inFlight: number | null;
  /** Nothing was in flight before the counts, and nothing was committed while they were taken: they may be compared. */
  readonly isQuiet: boolean;
  readonly deadLetters: number | null;
  /** Dead letters of the vector indexer: memories without the vector they should have. */
  readonly unindexed: number | null;
  readonly projectors: readonly ProjectorState[];
};

export type ObserveDependencies = {
  readonly graph: GraphReader;
  readonly vectors: VectorIndexReader;
  readonly journal: JournalReader;
  readonly deadLetters: DeadLetters;
  readonly projectorStates: ProjectorStates;
  readonly excludedTypes: readonly string[];
  readonly timeoutMs: number;
  readonly logger: Logger;
};

export function createObserve(dependencies: ObserveDependencies): () => Promise<Observation> {
  const { graph, vectors, journal, deadLetters, projectorStates, excludedTypes, timeoutMs, logger } = dependencies;

  return async () => {
    const [headBefore, projectors] = await Promise.all([
      orNull('The journal', journal.head()),
      orNull('The projector states', projectorStates.list()),
    ]);
    const [graphAnswers, vectorsAnswer, counts, points, letters, unindexed] = await Promise.all([
      answers('The graph', graph.ping()),
      answers('The vector index', vectors.ping()),
      orNull('The count of memories', graph.counts({ excludedTypes })),
      orNull('The count of vectors', vectors.count({ excludedTypes })),
      orNull('The dead letters', deadLetters.count()),
      orNull('The dead letters', deadLetters.count(VECTOR_INDEXER)),
    ]);
    const headAfter = await orNull('The journal', journal.head());
    const indexed = projectors && indexedPosition(projectors);
    return {
      graphAnswers,
      vectorsAnswer,
      memories: counts?.memories ?? null,
      unenriched: counts?.unenriched ?? null,
      vectors: points,
      inFlight: headAfter === null || indexed === null ? null : Math.max(0, headAfter - indexed),
      isQuiet: headBefore !== null && headBefore === headAfter && indexed !== null && indexed >= headBefore,
      deadLetters: letters,
      unindexed,
      projectors: projectors ?? [],
    };
  };

  async function orNull<T>(name: string, work: Promise<T>): Promise<T | null> {
    try {
      return await withinDeadline(work, { milliseconds: timeoutMs, name });
    } catch (error) {
      logger.warn({ error: error }, `${name} did not answer the health check`);
      return null;
    }
  }

  async function answers(name: string, ping: Promise<void>): Promise<boolean> {
    return (await orNull(name, ping.then(() => true))) ?? false;
  }
}

/** The furthest of the indexer's instances: the rows of those that stopped stay where they were. */
function indexedPosition(projectors: readonly ProjectorState[]): number {
  return Math.max(0, ...projectors.filter(({ name }) => name === VECTOR_INDEXER).map(({ position }) => position));
}
