/** The port of a source of candidates: it searches one store, once per pass of the plan, and does not score. */
import type { Hit, SourceName } from '../../candidate.js';
import type { Pass, RecallPlan } from '../../plan/recall-plan.js';
import type { Stage } from '../../stage-times.js';

export interface Source {
  readonly name: SourceName;
  /** The search waits for `awaitIndex`; its time limit begins after that. */
  readonly readsIndex?: boolean;
  /** Whether the plan contains something that this source can search for. */
  applies(plan: RecallPlan): boolean;
  /**
   * The hits of all passes, in the order of the passes, best first within a pass. Throws DependencyError when the store
   * fails.
   */
  search(plan: RecallPlan, run: Run): Promise<readonly Hit[]>;
}

/** What a search gets of the recall that it belongs to. */
export type Run = {
  readonly stage: Stage;
  /** Resolves when the vector index shows the writes that the recall must find. The first call starts the wait. */
  readonly awaitIndex: () => Promise<void>;
};

/**
 * Searches every pass side by side. Each hit has its rank within its pass. `toHit` converts one answer of the store.
 */
export async function hitsOfPasses<T>(
  plan: RecallPlan,
  searchPass: (pass: Pass) => Promise<readonly T[]>,
  toHit: (found: T) => Hit,
): Promise<readonly Hit[]> {
  const hits = await Promise.all(
    plan.passes.map(async (pass) => {
      const found = await searchPass(pass);
      return found.map(toHit).map(({ id, evidence }, index) => ({
        id,
        evidence: Object.assign({}, evidence, { pass: pass.filter.state, rank: index + 1 }), // faster than a spread
      }));
    }),
  );
  return hits.flat();
}
