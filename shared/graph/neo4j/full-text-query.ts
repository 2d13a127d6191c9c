/** A search as the query language of the full-text index (Lucene's). Filters are clauses that weigh nothing: the score stays that of the words. */
import type { MemoryFilter, TagFilter } from '../../contract/filter.js';
import { ARCHIVED, excludedBeginnings, tagFacets, typeFacet } from './facets.js';

/** The index refuses a query of more than 1,024. */
export const MOST_CLAUSES = 1_000;

/** Clauses that a filter becomes, each with `+` or `-` in front: one that only excludes matches nothing by itself. */
export function filterClauses(filter: MemoryFilter): readonly string[] {
  return [
    ...(filter.tags === null ? [] : tagClauses(filter.tags)),
    ...excludedBeginnings(filter).map((beginning) => `-facets:${escaped(beginning)}*`),
    ...[...new Set(filter.excludedTypes)].map((type) => `-facets:${quoted(typeFacet(type))}`),
    ...windowClauses(filter),
    ...stateClauses(filter),
  ];
}

/** Content weighs twice what tags do. */
export function wordClauses(terms: readonly string[]): readonly string[] {
  return terms.flatMap((term) => [`terms:${quoted(term)}^2`, `tag_terms:${quoted(term)}`]);
}

/** How many of them the index counts. */
export function clauseCount(filter: MemoryFilter): number {
  const window = 1;
  const state = 3;
  return (
    (filter.tags?.values.length ?? 0) + 2 * filter.excludeTags.length + filter.excludedTypes.length + window + state
  );
}

export function tagClauses(tags: TagFilter): readonly string[] {
  const facets = tagFacets(tags).map((facet) => `facets:${quoted(facet)}`);
  return tags.mode === 'all' ? facets.map((facet) => `+${facet}^0`) : [`+(${facets.join(' ')})^0`];
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

/** Taken literally, whatever it holds. Escaping sign by sign instead would leave AND, OR and NOT operators. */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/gu, '\\$&')}"`;
}

/** For the beginning of a word, which cannot be quoted. */
function escaped(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '\\$&');
}
