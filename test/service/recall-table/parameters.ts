/** Rows on what each parameter that searches and narrows does, and on what becomes of a value that it cannot take. */
import { absent } from './pattern.js';
import type { Table } from './row.js';

const axis = (index: number): string => Array.from({ length: 512 }, (_, at) => (at === index ? 1 : 0)).join(',');
const LAMPS = 'tags=lamps&adaptive_floor=no';

export const parameters: Table = {
  subject: 'parameters that search and narrow',
  scope: 'lamps',
  memories: {
    red: { content: 'Red lamp', tags: ['colour/red'], timestamp: '2019-03-01T10:00:00Z', importance: 0.9, embedding: axis(1).split(',').map(Number) },
    blue: { content: 'Blue lamp', tags: ['colour:blue'], timestamp: '2019-03-02T10:00:00Z', importance: 0.8, type: 'Habit' },
    comma: { content: 'Both lamps', tags: ['red,blue'], timestamp: '2019-03-03T10:00:00Z', importance: 0.7 },
    plain: { content: 'None at all', tags: ['colourless'], timestamp: '2019-03-04T10:00:00Z', importance: 0.6 },
    style: { content: 'Shades of silk', tags: ['python'], timestamp: '2019-03-05T10:00:00Z', importance: 0.5, type: 'Style' },
    shed: { content: 'A shed', tags: ['entity:people:ann'], timestamp: '2019-03-06T10:00:00Z', importance: 0.4, metadata: { note: 'lantern' } },
    ann: { content: 'Ann has ladders', tags: ['entity:people:ann', 'colour'], timestamp: '2019-03-07T10:00:00Z', importance: 0.3 },
  },
  associations: [['red', 'RELATES_TO', 'shed', 0.9], ['red', 'RELATES_TO', 'blue', 0.2]],
  rows: [
    {
      of: 'query', fact: 'query is what is searched for, trimmed', ask: `${LAMPS}&query=%20blue+lamp+&limit=1`, finds: ['blue'],
      shows: { query: 'blue lamp', keywords: ['blue', 'lamp'] },
    },
    { of: 'query', fact: 'query=* is no query, as a blank one', ask: [`${LAMPS}&query=*`, `${LAMPS}&query=%20`], sameAs: LAMPS, shows: { keywords: absent } },
    {
      of: 'queries', fact: 'queries run in place of the query, repeated and split at commas',
      ask: `${LAMPS}&query=silk&queries=red+lamp,blue+lamp&queries=both+lamps`,
      shows: { query: 'silk', queries: ['red lamp', 'blue lamp', 'both lamps'], keywords: absent },
    },
    {
      of: 'queries', fact: 'blank queries are none', ask: `${LAMPS}&query=silk&queries=&queries=,,`, sameAs: `${LAMPS}&query=silk`,
      shows: { queries: absent },
    },
    {
      of: 'queries', fact: 'more than ten queries are refused',
      ask: [`queries=${Array(11).fill('x').join(',')}`, Array(100).fill('queries=x').join('&')], refuses: "'queries' must hold at most 10 queries",
    },
    {
      of: 'auto_decompose', fact: 'auto_decompose searches for the topics of the query as well',
      ask: `${LAMPS}&query=blue+lamp+silk&auto_decompose=yes`,
      shows: { queries: ['blue lamp silk', 'blue', 'lamp', 'silk'] },
    },
    {
      of: 'auto_decompose', fact: 'queries disable auto_decompose',
      ask: `${LAMPS}&query=blue+lamp+silk&queries=red&auto_decompose=1`, shows: { queries: ['red'] },
    },
    {
      of: 'embedding', fact: 'embedding finds the nearest', ask: `${LAMPS}&limit=1&embedding=${axis(1)}`, finds: ['red'],
      shows: { results: [{ match_type: 'semantic', score_components: { vector: 1 } }] },
    },
    {
      of: 'limit', fact: 'limit is five unless it is given or cannot be read',
      ask: [LAMPS, ...['many', '2.5', '', '0x3', '1e1'].map((limit) => `${LAMPS}&limit=${limit}`)],
      shows: { count: 5 },
    },
    { of: 'limit', fact: 'limit is at least one', ask: ['0', '-7', '-99999999999999999999'].map((limit) => `${LAMPS}&limit=${limit}`), finds: ['red'] },
    { of: 'limit', fact: 'the first limit of several counts', ask: `${LAMPS}&limit=2&limit=4`, finds: ['red', 'blue'] },
    {
      of: 'per_query_limit', fact: 'per_query_limit bounds what each query brings',
      ask: `${LAMPS}&queries=red+lamp,silk&per_query_limit=1`, findsAll: ['red', 'style'],
    },
    {
      of: 'per_query_limit', fact: 'per_query_limit bounds a single query as well, and a list',
      ask: [`${LAMPS}&query=red&per_query_limit=1`, `${LAMPS}&per_query_limit=0`], finds: ['red'],
    },
    {
      of: 'per_query_limit', fact: 'per_query_limit is the limit where it cannot be read',
      ask: `${LAMPS}&query=lamp&per_query_limit=few&limit=4`, sameAs: `${LAMPS}&query=lamp&limit=4`,
    },
    {
      of: 'max_tokens', fact: 'max_tokens cuts to a size, best first', ask: `${LAMPS}&limit=3&max_tokens=100`, finds: ['red', 'blue'],
      shows: { budget: { omitted: ['{comma}'] } },
    },
    {
      of: 'max_tokens', fact: 'max_tokens leaves the best one, however little it is',
      ask: ['0', '-5', '1'].map((given) => `${LAMPS}&max_tokens=${given}`), finds: ['red'],
      shows: { budget: { max_tokens: 1 } },
    },
    {
      of: 'max_tokens', fact: 'max_tokens is a safe number, however much it is',
      ask: `${LAMPS}&max_tokens=99999999999999999999`,
      shows: { count: 5, budget: { max_tokens: Number.MAX_SAFE_INTEGER, omitted: [] } },
    },
    {
      of: 'max_tokens', fact: 'max_tokens that cannot be read cuts nothing',
      ask: ['small', '', '1.5', 'NaN'].map((given) => `${LAMPS}&max_tokens=${given}`), sameAs: LAMPS,
      shows: { budget: absent },
    },
    {
      of: 'sort', fact: 'sort orders by time instead of the score', ask: `${LAMPS}&sort=time_desc&limit=2`, finds: ['ann', 'shed'],
      shows: { sort: 'time_desc' },
    },
    { of: 'sort', fact: 'an unknown sort is by score', ask: `${LAMPS}&sort=best`, sameAs: LAMPS, shows: { sort: 'score' } },
    { of: 'tags', fact: 'tags narrow the search; commas belong to the tag', ask: 'tags=red,blue', finds: ['comma'], shows: { tags: ['red,blue'] } },
    {
      of: 'tags', fact: 'tags are repeated, trimmed, and blank ones dropped',
      ask: 'tags=%20colour/red&tags=&tags=red,blue%20', finds: ['red', 'comma'],
      shows: { tags: ['colour/red', 'red,blue'] },
    },
    {
      of: 'exclude_tags', fact: 'exclude_tags removes, repeated and split at commas',
      ask: `${LAMPS}&exclude_tags=colour,%20red&exclude_tags=entity,python`, finds: [],
      shows: { exclude_tags: ['colour', 'red', 'entity', 'python'] },
    },
    {
      of: 'tag_mode', fact: 'tag_mode=all wants all tags', ask: 'tags=lamps&tags=colour&tag_mode=all', findsAll: ['red', 'blue', 'ann'],
      shows: { tag_mode: 'all' },
    },
    {
      of: 'tag_mode', fact: 'an unknown tag_mode is any', ask: 'tags=red,blue&tags=colourless&tag_mode=most', findsAll: ['comma', 'plain'],
      shows: { tag_mode: 'any' },
    },
    {
      of: 'tag_match', fact: 'tag_match=exact wants whole tags', ask: 'tags=colour&tags=COLOURLESS&tag_match=exact', finds: ['plain', 'ann'],
      shows: { tag_match: 'exact' },
    },
    {
      of: 'tag_match', fact: 'an unknown tag_match is prefix', ask: 'tags=colour&tag_match=fuzzy&limit=2', findsAll: ['red', 'blue'],
      shows: { tag_match: 'prefix' },
    },
    {
      of: 'time_query', fact: 'time_query is a window in words', ask: `${LAMPS}&time_query=march+2019&limit=2`, finds: ['ann', 'shed'],
      shows: { time_window: { start: '2019-03-01T00:00:00+00:00', end: '2019-04-01T00:00:00+00:00' } },
    },
    { of: 'time_query', fact: 'a time_query that cannot be read is refused', ask: 'time_query=whenever', refuses: 'time_query "whenever" cannot be read' },
    {
      of: 'start', fact: 'start overrides the beginning of time_query',
      ask: `${LAMPS}&time_query=march+2019&start=2019-03-06`, finds: ['ann', 'shed'],
      shows: { time_window: { start: '2019-03-06T00:00:00+00:00', end: '2019-04-01T00:00:00+00:00' } },
    },
    {
      of: 'start', fact: 'a start that is no time is refused',
      ask: ['start=soon', 'start=2024-1-1', 'start=2024-01-01T10:00:00z'], refuses: 'Invalid start time: Invalid ISO timestamp',
    },
    { of: 'end', fact: 'end overrides the end of time_query', ask: `${LAMPS}&time_query=march+2019&end=2019-03-02`, finds: ['red'] },
    { of: 'end', fact: 'an end that is no time is refused', ask: 'end=late', refuses: 'Invalid end time: Invalid ISO timestamp' },
    {
      of: 'end', fact: 'a window that ends before it starts holds nothing',
      ask: `${LAMPS}&start=2019-03-05&end=2019-03-01`, finds: [],
      shows: { time_window: { start: '2019-03-05T00:00:00+00:00', end: '2019-03-01T00:00:00+00:00' } },
    },
  ],
};
