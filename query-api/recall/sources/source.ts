/** A source of candidates: asks one store, once for each pass of the plan, and scores nothing. */
import type { Hit, SourceName } from '../candidate.js';
import type { Pass, RecallPlan } from '../plan.js';
import type { Stage } from '../stage-times.js';

export interface Source {
  readonly name: SourceName;
  /** Whether this plan gives it anything to look for. */
  applies(plan: RecallPlan): boolean;
  /** The hits of all passes, those of the first before the others, best first in each. Throws DependencyError when its store fails. */
  search(plan: RecallPlan, stage: Stage): Promise<readonly Hit[]>;
}

/** The hits of all passes, each with its place in its own. `toHit` makes one of what the store answers. */
export function hitsOfPasses<T>(
  plan: RecallPlan,
  ask: (pass: Pass) => Promise<readonly T[]>,
  toHit: (found: T) => Hit,
): Promise<readonly Hit[]> {
  return searchPasses(plan, async (pass) => {
    const found = await ask(pass);
    return found
      .map(toHit)
      .map(({ id, evidence }, index) => ({ id, evidence: { ...evidence, pass: pass.filter.state, rank: index + 1 } }));
  });
}

/** Asks once for each pass, side by side. */
export async function searchPasses<T>(
  plan: RecallPlan,
  ask: (pass: Pass) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  return (await Promise.all(plan.passes.map(ask))).flat();
}
