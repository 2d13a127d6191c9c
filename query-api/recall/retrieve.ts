/**
 * The stage that asks the stores: every source that applies runs side by side under a deadline, and each fails alone. Without the
 * graph nothing can be hydrated, so its failure is the recall's; whatever else fails is reported and the others' hits stand.
 */
import { DependencyError, PalimpsestError, ValidationError } from '../../shared/kernel/errors.js';
import type { Logger } from '../../shared/kernel/logger.js';
import { withinDeadline } from '../../shared/kernel/within-deadline.js';
import type { Degraded, Hit, SourceName } from './candidate.js';
import type { RecallPlan } from './plan.js';
import type { Source } from './sources/source.js';
import type { Stage } from './stage-times.js';

export type Retrieved = {
  /** What each source that answered found. */
  readonly hits: ReadonlyMap<SourceName, readonly Hit[]>;
  readonly degraded: readonly Degraded[];
};

type Dependencies = {
  readonly sources: readonly Source[];
  /** Asked when vectors alone were to be asked and cannot answer, so that the graph still gives something. */
  readonly fallback: Source;
  readonly timeoutMs: number;
  readonly logger: Logger;
};

export function createRetrieve({
  sources,
  fallback,
  timeoutMs,
  logger,
}: Dependencies): (plan: RecallPlan, stage: Stage) => Promise<Retrieved> {
  return async (plan, stage) => {
    const applying = sources.filter((source) => source.applies(plan));
    const answers = await Promise.all(applying.map((source) => ask(source, plan, stage)));
    const failures = answers.filter((answer) => 'failure' in answer);
    if (answers.every((answer) => 'failure' in answer || answer.name === SIDECAR))
      answers.push(await lastResort(failures, plan, stage));
    const degraded = failures.map(describe);
    if (degraded.length > 0) logger.warn({ degraded }, 'a recall goes on without some of its sources');
    return {
      hits: new Map(answers.flatMap((answer) => ('hits' in answer ? [[answer.name, answer.hits] as const] : []))),
      degraded,
    };
  };

  /** A slow graph is no reason to answer a query with what is merely important, so only the vectors' absence is made up for. */
  async function lastResort(failures: readonly Failure[], plan: RecallPlan, stage: Stage): Promise<Answer> {
    const unreplaceable = failures.find(({ name }) => name !== 'vector' && name !== SIDECAR);
    if (unreplaceable) throw unreplaceable.failure;
    const answer = await ask(fallback, plan, stage);
    if ('failure' in answer) throw answer.failure;
    return answer;
  }

  async function ask(source: Source, plan: RecallPlan, stage: Stage): Promise<Answer> {
    try {
      return {
        name: source.name,
        hits: await withinDeadline(source.search(plan, stage), {
          milliseconds: timeoutMs,
          name: `The ${source.name} search`,
        }),
      };
    } catch (error) {
      if (!isItsOwn(error)) throw error;
      return { name: source.name, failure: error };
    }
  }
}

/** It adds to what others find: alone it is no answer to a query that nothing else could look up, nor is its failure one. */
const SIDECAR: SourceName = 'metadata';

type Failure = { readonly name: SourceName; readonly failure: PalimpsestError };
type Answer = Failure | { readonly name: SourceName; readonly hits: readonly Hit[] };

/** A failure that the other sources do not share: neither the graph's, nor the caller's fault, nor a bug. */
function isItsOwn(error: unknown): error is PalimpsestError {
  if (error instanceof DependencyError) return error.dependency !== 'graph';
  return error instanceof PalimpsestError && !(error instanceof ValidationError);
}

/** The encoder and the index are told apart: the one leaves vector search standing for callers with embeddings of their own. */
function describe({ name, failure }: Failure): Degraded {
  return { source: failure instanceof DependencyError ? failure.dependency : name, reason: failure.message };
}
