/**
 * Builds queries for the full-text index in the language of Lucene. Clauses of filters have weight 0, so only words
 * affect the score.
 */
import { type MemoryFilter, type TagFilter, tagFiltersOf } from '../../../contract/filter.js';
import { isSelective } from '../../../text/selective.js';
import { ARCHIVED, excludedPrefixes, tagFacets, typeFacet } from '../schema/facets.js';

/** The index rejects a query of more than 1,024 clauses. */
export const MAX_CLAUSES = 1_000;

/** The clauses of a filter, each with `+` or `-` in front. A query of `-` clauses only matches nothing. */
export function filterClauses(filter: MemoryFilter): readonly string[] {
  return [
    ...tagFiltersOf(filter).flatMap(tagClauses),
    ...excludedPrefixes(filter).map((prefix) => `-facets:${escaped(prefix)}*`),
    ...[...new Set(filter.excludedTypes)].map((type) => `-facets:${quoted(typeFacet(type))}`),
    ...windowClauses(filter),
    ...stateClauses(filter),
  ];
}

/** A word in the content weighs twice as much as in the tags. */
export function wordClauses(terms: readonly string[]): readonly string[] {
  return terms.flatMap((term) => [`terms:${quoted(term)}^2`, `tag_terms:${quoted(term)}`]);
}

/** The number of clauses that the index counts for a filter. */
export function clauseCount(filter: MemoryFilter): number {
  const window = 1;
  const state = 3;
  const tags = tagFiltersOf(filter).reduce((sum, { values }) => sum + values.length, 0);
  return tags + 2 * filter.excludeTags.length + filter.excludedTypes.length + window + state;
}

/**
 * Whether the index can search by the filter alone: it needs at least one `+` clause, which only a selective filter
 * has.
 */
export function isIndexed(filter: MemoryFilter): boolean {
  return isSelective(filter) && clauseCount(filter) <= MAX_CLAUSES;
}

export function tagClauses(tags: TagFilter): readonly string[] {
  const facets = tagFacets(tags).map((facet) => `facets:${quoted(facet)}`);
  return tags.mode === 'all' ? facets.map((facet) => `+${facet}^0`) : [`+(${facets.join(' ')})^0`];
}

export function typeClause(types: readonly string[]): string {
  return `+(${[...new Set(types)].map((type) => `facets:${quoted(typeFacet(type))}`).join(' ')})^0`;
}

function windowClauses({ start, end }: MemoryFilter): string[] {
  if (start === null && end === null) return [];
  return [`+timestamp:[${start === null ? '*' : quoted(start)} TO ${end === null ? '*' : quoted(end)}]^0`];
}

function stateClauses({ state, now }: MemoryFilter): string[] {
  const archived = `facets:${quoted(ARCHIVED)}`;
  const ended = `t_invalid:[* TO ${quoted(now)}]`;
  const toCome = `t_valid:{${quoted(now)} TO *]`;
  switch (state) {
    case 'current':
      return [`-${archived}`, `-${ended}`, `-${toCome}`];
    case 'lapsed':
      return [`+(${archived} ${ended} ${toCome})^0`];
    case 'unarchived':
      return [`-${archived}`];
    default:
      return state satisfies never;
  }
}

/** A quoted text is literal. Escaping each character instead would keep AND, OR and NOT as operators. */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/gu, '\\$&')}"`;
}

/** Escapes the prefix of a word, which cannot be quoted. */
function escaped(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '\\$&');
}
