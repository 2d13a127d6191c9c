/**
 * Runs one search on all applicable sources, side by side, each with a deadline. Nothing can be hydrated without the
 * graph, so a failure of the graph fails the recall. Any other failure is reported as degraded, and the hits of the
 * other sources remain.
 */
import { withinDeadline } from '../../../shared/kernel/concurrency/within-deadline.js';
import { DependencyError, PalimpsestError, ValidationError } from '../../../shared/kernel/errors.js';
import type { Logger } from '../../../shared/kernel/logger.js';
import { withChildSpan } from '../../../shared/kernel/tracing/tracing.js';
import type { Degraded, Hit, SourceName } from '../candidate.js';
import type { RecallPlan } from '../plan/recall-plan.js';
import type { Run, Source } from './sources/source.js';

export type SourceHits = {
  /** The hits of each source that answered. */
  readonly hits: ReadonlyMap<SourceName, readonly Hit[]>;
  readonly degraded: readonly Degraded[];
};

type Dependencies = {
  readonly sources: readonly Source[];
  /**
   * Searched when the vector source is the only applicable one and fails, so that the reply still has results from the
   * graph.
   */
  readonly fallback: Source;
  readonly timeoutMs: number;
  readonly logger: Logger;
};

export function createSourceSearch({
  sources,
  fallback,
  timeoutMs,
  logger,
}: Dependencies): (plan: RecallPlan, run: Run) => Promise<SourceHits> {
  return async (plan, run) => {
    const applicable = sources.filter((source) => source.applies(plan));
    const answers = await Promise.all(applicable.map((source) => searchSource(source, plan, run)));
    const failures = answers.filter((answer) => 'failure' in answer);
    if (answers.every((answer) => 'failure' in answer || answer.name === SUPPLEMENTARY_SOURCE))
      answers.push(await searchFallback(failures, plan, run));
    const degraded = failures.map(toDegraded);
    if (degraded.length > 0) logger.warn({ degraded }, 'recall sources failed');
    return {
      hits: new Map(answers.flatMap((answer) => ('hits' in answer ? [[answer.name, answer.hits] as const] : []))),
      degraded,
    };
  };

  /**
   * The fallback replaces the vector source only. When the graph is slow, the recall fails: important memories are no
   * answer to a query that the graph could have answered.
   */
  async function searchFallback(failures: readonly Failure[], plan: RecallPlan, run: Run): Promise<Answer> {
    const graphFailure = failures.find(({ name }) => name !== 'vector' && name !== SUPPLEMENTARY_SOURCE);
    if (graphFailure) throw graphFailure.failure;
    const answer = await searchSource(fallback, plan, run);
    if ('failure' in answer) throw answer.failure;
    return answer;
  }

  async function searchSource(source: Source, plan: RecallPlan, run: Run): Promise<Answer> {
    try {
      const hits = await withChildSpan(`search ${source.name}`, {}, async (span) => {
        const searching = source.search(plan, run);
        if (source.readsIndex) await Promise.race([searching, run.awaitIndex()]);
        const found = await withinDeadline(searching, {
          milliseconds: timeoutMs,
          name: `The ${source.name} search`,
        });
        span.set({ 'palimpsest.hits': found.length });
        return found;
      });
      return { name: source.name, hits };
    } catch (error) {
      if (!isSourceFailure(error)) throw error;
      return { name: source.name, failure: error };
    }
  }
}

/**
 * Its hits only supplement those of other sources: its hits alone are no answer, and its failure alone fails no recall.
 */
const SUPPLEMENTARY_SOURCE: SourceName = 'metadata';

type Failure = { readonly name: SourceName; readonly failure: PalimpsestError };
type Answer = Failure | { readonly name: SourceName; readonly hits: readonly Hit[] };

/** A failure of one source only: not a failure of the graph, not an invalid request, not a bug. */
function isSourceFailure(error: unknown): error is PalimpsestError {
  if (error instanceof DependencyError) return error.dependency !== 'graph';
  return error instanceof PalimpsestError && !(error instanceof ValidationError);
}

/**
 * Names the encoder and the vector index separately: without the encoder, a caller that sends an embedding can still
 * search by vector.
 */
function toDegraded({ name, failure }: Failure): Degraded {
  return { source: failure instanceof DependencyError ? failure.dependency : name, reason: failure.message };
}
