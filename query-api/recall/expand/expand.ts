/**
 * The expand stage: on request, adds memories that the results are associated with, then memories that share their
 * entities.
 */
import type { GraphReader } from '../../../shared/ports/graph.js';
import type { AddCandidates } from '../add-candidates.js';
import type { Suppression } from '../hydrate/resolve-states.js';
import type { RecallPlan } from '../plan/recall-plan.js';
import type { ScoredSearch } from '../score/score-search.js';
import type { Selected, SelectedResult } from '../select/select-results.js';
import { createAdmitExpanded } from './admit-expanded.js';
import { createExpandAssociations } from './associations.js';
import { type AdmittedByEntity, createExpandEntities } from './entities.js';

export type Expansion = {
  /** The number of results from which the expansion started. */
  readonly seedCount: number;
  readonly entitiesFound: readonly string[];
};

export type Expanded = {
  /** The results in their order, then the added memories by descending score. */
  readonly selected: Selected;
  readonly suppressed: readonly Suppression[];
  readonly expansion: Expansion;
};

type Seeds = {
  readonly selected: Selected;
  readonly suppressed: readonly Suppression[];
  readonly scoredSearches: readonly ScoredSearch[];
};

export function createExpand({
  graph,
  addCandidates,
}: {
  readonly graph: GraphReader;
  readonly addCandidates: AddCandidates;
}): (seeds: Seeds, plan: RecallPlan) => Promise<Expanded> {
  const admit = createAdmitExpanded(addCandidates);
  const expandAssociations = createExpandAssociations({ graph, admit });
  const expandEntities = createExpandEntities({ graph, admit });

  return async ({ selected, suppressed, scoredSearches: searches }, plan) => {
    const seeds = selected.results;
    const { followsRelations, followsEntities, limit } = plan.expansion;
    const associated =
      followsRelations && seeds.length > 0
        ? await expandAssociations({ shown: seeds, searches, limit }, plan)
        : NOTHING_ADDED;
    const shown = [...seeds, ...associated.results];
    const sharing =
      followsEntities && seeds.length > 0
        ? await expandEntities({ shown, searches, limit: limit - associated.results.length }, plan)
        : NOTHING_ADDED;
    return {
      selected: {
        results: [...seeds, ...byScore([...associated.results, ...sharing.results])],
        filteredCount: selected.filteredCount + associated.filteredCount + sharing.filteredCount,
      },
      suppressed: distinct([...suppressed, ...associated.suppressed, ...sharing.suppressed]),
      expansion: { seedCount: seeds.length, entitiesFound: sharing.entitiesFound },
    };
  };
}

const NOTHING_ADDED: AdmittedByEntity = { results: [], filteredCount: 0, suppressed: [], entitiesFound: [] };

function byScore(results: readonly SelectedResult[]): readonly SelectedResult[] {
  return [...results].sort((one, other) => other.score - one.score);
}

/** An expansion can reach memories that the search already suppressed. */
function distinct(suppressed: readonly Suppression[]): readonly Suppression[] {
  return [...new Map(suppressed.map((each) => [each.id, each])).values()];
}
