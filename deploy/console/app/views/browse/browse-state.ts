/** What the address of the view Browse says: the filter of the list, and its page. */
import type { CallOf } from '../../../../../shared/client/client.js';
import { LIST_SORTS, type ListSort } from '../../../../../shared/contract/filter.js';
import type { Parameters } from '../../service/route.js';

/** Memories of one page. */
export const PAGE = 50;
/** Cursors of former pages that the address keeps; Previous goes back over them. */
const CURSORS_LIMIT = 20;

/** The parameters of a request without those of its page. */
export type ListFilter = Omit<NonNullable<CallOf<'listMemories'>['query']>, 'cursor' | 'limit' | 'facets'>;

const TAGS_BETWEEN = '\n'; // a tag may have commas
const DAY_MS = 86_400_000;

export function filterIn(parameters: Parameters): ListFilter {
  const { text = '', type = '', since = '', until = '', importance = '', match, internal } = parameters;
  const tags = tagsIn(parameters);
  return {
    sort: sortIn(parameters),
    ...(text !== '' && { text }),
    ...(type !== '' && { types: [type] }),
    ...(tags.length > 0 && { tags, tag_mode: 'all', tag_match: match === 'prefix' ? 'prefix' : 'exact' }),
    ...(since !== '' && { since }),
    ...(until !== '' && { until: dayAfter(until) }),
    ...(importance !== '' && { min_importance: Number(importance) }),
    ...(internal === 'yes' && { include_internal: true }),
  };
}

export function sortIn({ sort }: Parameters): ListSort {
  return LIST_SORTS.find((each) => each === sort) ?? 'newest';
}

export function tagsIn({ tag = '' }: Parameters): readonly string[] {
  return [...new Set(tag.split(TAGS_BETWEEN).map((each) => each.trim()))].filter((each) => each !== '');
}

/** The filter with one more tag, from its first page on. */
export function withTag(parameters: Parameters, tag: string): Parameters {
  return { ...firstPage(parameters), tag: [...new Set([...tagsIn(parameters), tag])].join(TAGS_BETWEEN) };
}

export function withoutTag(parameters: Parameters, tag: string): Parameters {
  const tags = tagsIn(parameters).filter((each) => each !== tag);
  return { ...firstPage(parameters), tag: tags.join(TAGS_BETWEEN) };
}

export function firstPage({ cursors: _cursors, page: _page, ...filter }: Parameters): Parameters {
  return filter;
}

export function pageIn(parameters: Parameters): { readonly cursor: string; readonly number: number } {
  const cursor = cursorsIn(parameters).at(-1) ?? '';
  const number = Math.trunc(Number(parameters['page'] ?? 1));
  return { cursor, number: cursor !== '' && number > 1 ? number : 1 };
}

export function pageParameters(
  parameters: Parameters,
  to: 'first' | 'previous' | { readonly next: string },
): Parameters {
  const cursors = cursorsIn(parameters);
  const { number } = pageIn(parameters);
  const kept = typeof to === 'object' ? [...cursors, to.next].slice(-CURSORS_LIMIT) : cursors.slice(0, -1);
  if (to === 'first' || kept.length === 0) return firstPage(parameters);
  const page = String(typeof to === 'object' ? number + 1 : number - 1);
  return { ...parameters, cursors: kept.join('.'), page };
}

function cursorsIn({ cursors = '' }: Parameters): readonly string[] {
  return cursors.split('.').filter((cursor) => cursor !== '');
}

/** The last day of a filter counts as a whole. */
function dayAfter(date: string): string {
  const time = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(time) ? date : new Date(time + DAY_MS).toISOString().slice(0, 10);
}
