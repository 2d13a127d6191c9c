/** The stage that adds to the results what stands near them, on demand: first what they are associated with, then what shares their entities. */
import type { GraphReader } from '../../shared/graph/graph.js';
import { createAdmitExpanded } from './admit-expanded.js';
import type { ScoredCandidate } from './candidate.js';
import { createExpandEntities, type AdmittedByEntity } from './expand-entities.js';
import { createExpandRelations } from './expand-relations.js';
import type { RecallPlan } from './plan.js';
import type { Suppression } from './resolve-states.js';
import type { Score } from './score.js';
import type { Selected, SelectedResult } from './select.js';

export type Expansion = {
  /** The results that were expanded. */
  readonly seedCount: number;
  readonly entitiesFound: readonly string[];
};

export type Expanded = {
  /** The results in their order, then what was added, by descending score. */
  readonly selected: Selected;
  readonly suppressed: readonly Suppression[];
  readonly expansion: Expansion;
};

type Seeds = {
  readonly selected: Selected;
  readonly suppressed: readonly Suppression[];
  /** Everything that the search scored. */
  readonly pool: readonly ScoredCandidate[];
};

export function createExpand({
  graph,
  score,
}: {
  readonly graph: GraphReader;
  readonly score: Score;
}): (seeds: Seeds, plan: RecallPlan) => Promise<Expanded> {
  const admit = createAdmitExpanded({ graph, score });
  const expandRelations = createExpandRelations({ graph, admit });
  const expandEntities = createExpandEntities({ graph, admit });

  return async ({ selected, suppressed, pool }, plan) => {
    const seeds = selected.results;
    const { followsRelations, followsEntities, limit } = plan.expansion;
    const related =
      followsRelations && seeds.length > 0 ? await expandRelations({ shown: seeds, pool, limit }, plan) : NONE;
    const shown = [...seeds, ...related.results];
    const alike =
      followsEntities && seeds.length > 0
        ? await expandEntities({ shown, pool, limit: limit - related.results.length }, plan)
        : NONE;
    return {
      selected: {
        results: [...seeds, ...byScore([...related.results, ...alike.results])],
        filteredCount: selected.filteredCount + related.filteredCount + alike.filteredCount,
      },
      suppressed: distinct([...suppressed, ...related.suppressed, ...alike.suppressed]),
      expansion: { seedCount: seeds.length, entitiesFound: alike.entitiesFound },
    };
  };
}

const NONE: AdmittedByEntity = { results: [], filteredCount: 0, suppressed: [], entitiesFound: [] };

function byScore(results: readonly SelectedResult[]): readonly SelectedResult[] {
  return [...results].sort((one, other) => other.score - one.score);
}

/** An expansion may meet again what the search suppressed. */
function distinct(suppressed: readonly Suppression[]): readonly Suppression[] {
  return [...new Map(suppressed.map((each) => [each.id, each])).values()];
}
