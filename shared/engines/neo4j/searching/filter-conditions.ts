/**
 * Converts a MemoryFilter to conditions on a node for index scans. The text is the same for every filter; only the
 * parameters differ.
 */
import type { MemoryFilter } from '../../../contract/filter.js';
import { excludedPrefixes, tagFacets, withinFacet } from '../schema/facets.js';

/** Conditions on `m` with the parameters of `filterParameters`. */
export const IS_ADMITTED = isAdmitted({});

/** The same with other maps: `filter` with the parameters, `window` with `start` and `end`. */
export function isAdmitted({ filter = '$given', window = filter }: { filter?: string; window?: string }): string {
  const isCurrent = `NOT coalesce(m.archived, false) AND coalesce(m.t_valid <= ${filter}.now, true) AND coalesce(m.t_invalid > ${filter}.now, true)`;
  return `m.timestamp >= ${window}.start AND m.timestamp <= ${window}.end
  AND NOT m.type IN ${filter}.excludedTypes
  AND ${areTagsAdmitted(filter)}
  AND none(prefix IN ${filter}.without WHERE m.facets CONTAINS prefix)
  AND CASE ${filter}.state WHEN 'current' THEN ${isCurrent} WHEN 'lapsed' THEN NOT (${isCurrent}) ELSE NOT coalesce(m.archived, false) END`;
}

/** The conditions of the tags alone, with the parameters of `tagParameters`. */
export const ARE_TAGS_ADMITTED = areTagsAdmitted('$given');

function areTagsAdmitted(filter: string): string {
  return `(size(${filter}.anyOf) = 0 OR any(facet IN ${filter}.anyOf WHERE m.facets CONTAINS facet))
  AND all(facet IN ${filter}.allOf WHERE m.facets CONTAINS facet)`;
}

export function tagParameters({ tags, within }: Pick<MemoryFilter, 'tags' | 'within'>) {
  const facets = tags === null ? [] : tagFacets(tags).map((facet) => ` ${facet} `);
  return {
    anyOf: tags?.mode === 'any' ? facets : [],
    allOf: [...(tags?.mode === 'all' ? facets : []), ...(within === null ? [] : [withinFacet(within)])],
  };
}

export function filterParameters(filter: MemoryFilter) {
  return {
    ...tagParameters(filter),
    without: excludedPrefixes(filter).map((prefix) => ` ${prefix}`),
    excludedTypes: filter.excludedTypes,
    start: filter.start ?? '',
    // Sorts after every timestamp, because timestamps begin with a digit.
    end: filter.end ?? ':',
    state: filter.state,
    now: filter.now,
  };
}
