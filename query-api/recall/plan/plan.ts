/** The plan stage, pure: turns the parameters of a recall into one plan and the searches that it runs. */
import type { RecallQuery } from '../../../shared/contract/queries/recall-query.js';
import type { Clock } from '../../../shared/kernel/clock.js';
import type { VectorIndexReader } from '../../../shared/ports/vectors.js';
import type { RecallConfig } from '../../config.js';
import { planRecall } from './plan-recall.js';
import { planSearches } from './plan-searches.js';
import type { RecallPlan, Search } from './recall-plan.js';

type Dependencies = {
  readonly vectors: Pick<VectorIndexReader, 'dimension'>;
  readonly config: RecallConfig;
  readonly clock: Clock;
};

export type Planned = {
  readonly plan: RecallPlan;
  /** At least one. */
  readonly searches: readonly Search[];
};

/** The returned function throws ValidationError for parameters that the contract rejects. */
export function createPlan({ vectors, config, clock }: Dependencies): (query: RecallQuery) => Planned {
  return (query) => {
    const plan = planRecall(query, { config, dimension: vectors.dimension, now: clock.now() });
    return { plan, searches: planSearches(plan, query) };
  };
}
