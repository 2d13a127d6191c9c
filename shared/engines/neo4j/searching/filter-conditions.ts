/**
 * Converts a MemoryFilter to conditions on a node for index scans. The text is the same for every filter; only the
 * parameters differ.
 */
import type { MemoryFilter } from '../../../contract/filter.js';
import { excludedPrefixes, tagFacets } from '../schema/facets.js';

const IS_CURRENT = `NOT coalesce(m.archived, false) AND coalesce(m.t_valid <= $given.now, true) AND coalesce(m.t_invalid > $given.now, true)`;

/** Conditions on `m` with the parameters of `filterParameters`. */
export const IS_ADMITTED = isAdmittedWithin('$given');

/** The same with `start` and `end` of another map. */
export function isAdmittedWithin(window: string): string {
  return `m.timestamp >= ${window}.start AND m.timestamp <= ${window}.end
  AND NOT m.type IN $given.excludedTypes
  AND (size($given.anyOf) = 0 OR any(facet IN $given.anyOf WHERE m.facets CONTAINS facet))
  AND all(facet IN $given.allOf WHERE m.facets CONTAINS facet)
  AND none(prefix IN $given.without WHERE m.facets CONTAINS prefix)
  AND CASE $given.state WHEN 'current' THEN ${IS_CURRENT} WHEN 'lapsed' THEN NOT (${IS_CURRENT}) ELSE NOT coalesce(m.archived, false) END`;
}

export function filterParameters(filter: MemoryFilter) {
  const facets = filter.tags === null ? [] : tagFacets(filter.tags).map((facet) => ` ${facet} `);
  return {
    anyOf: filter.tags?.mode === 'any' ? facets : [],
    allOf: filter.tags?.mode === 'all' ? facets : [],
    without: excludedPrefixes(filter).map((prefix) => ` ${prefix}`),
    excludedTypes: filter.excludedTypes,
    start: filter.start ?? '',
    // Sorts after every timestamp, because timestamps begin with a digit.
    end: filter.end ?? ':',
    state: filter.state,
    now: filter.now,
  };
}
