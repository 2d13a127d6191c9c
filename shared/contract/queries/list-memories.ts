/** GET /memories: the memories that a filter admits, page by page. */
import { LIST_SORTS } from '../filter.js';
import {
  LIST_BYTES_LIMIT,
  LIST_FACET_TAGS,
  LIST_FACETS_LIMIT,
  LIST_LIMIT,
  LIST_SCAN_LIMIT,
  QUERY_LENGTH_LIMIT,
} from '../limits.js';
import { MEMORY_TYPES, memorySchema } from '../memory.js';
import { type Operation, route } from '../operation.js';
import { consistentWith, type QueryParameter, type QueryValues } from '../queries.js';
import { consistency } from '../replies.js';
import { closed, count, flag, success, text, textOrNull } from '../reply-parts.js';

/** Different words of `text`, as many as a recall takes of its query. */
export const LIST_WORDS_LIMIT = 64;
/** The parts of time in which memories are counted. */
export const LIST_TIME_UNITS = ['day', 'week', 'month', 'year'] as const;
/** Memories of one page. */
export const LIST_PAGE = { default: 50, maximum: 100 } as const;

const listQuery = [
  {
    name: 'text',
    kind: 'text',
    description: `Only memories that have each of these words in the content or in a tag, in any form: \`meeting\` also finds \`meetings\`. Words such as \`the\` count only when there are no others. At most ${QUERY_LENGTH_LIMIT} characters and ${LIST_WORDS_LIMIT} different words; 400 for more, and for a text without a word.`,
  },
  {
    name: 'types',
    kind: 'list',
    maximumItems: LIST_LIMIT,
    description: `Comma-separated types of memories, spelled as in the answers: ${MEMORY_TYPES.join(', ')}; default all. Another name is a 400.`,
  },
  { name: 'tags', kind: 'repeated', maximumItems: LIST_LIMIT, description: 'Only memories with these tags.' },
  { name: 'tag_mode', kind: 'choice', choices: ['any', 'all'], description: 'Default any.' },
  { name: 'tag_match', kind: 'choice', choices: ['prefix', 'exact'], description: 'Default prefix.' },
  {
    name: 'since',
    kind: 'text',
    description: 'The earliest timestamp of a memory, ISO 8601; 400 when it cannot be read.',
  },
  {
    name: 'until',
    kind: 'text',
    description: 'Only memories with a timestamp before this one, ISO 8601; 400 when it cannot be read.',
  },
  {
    name: 'min_importance',
    kind: 'number',
    minimum: 0,
    maximum: 1,
    refuse: "'min_importance' must be a number from 0 to 1",
    description: 'The smallest importance of a memory; default 0.',
  },
  {
    name: 'sort',
    kind: 'choice',
    choices: LIST_SORTS,
    refuse: `'sort' must be one of ${LIST_SORTS.join(', ')}`,
    description: 'By timestamp (`newest`, the default, or `oldest`), by importance, or by the last update.',
  },
  {
    name: 'limit',
    kind: 'integer',
    minimum: 0,
    maximum: LIST_PAGE.maximum,
    description: `Page size; default ${LIST_PAGE.default}, clamped to 0..${LIST_PAGE.maximum}. With 0, for the counts alone, \`next_cursor\` is null.`,
  },
  {
    name: 'cursor',
    kind: 'text',
    description:
      '`next_cursor` of the page before, with the same filter and sort; 400 for another text, and for a cursor of another filter.',
  },
  {
    name: 'include_internal',
    kind: 'flag',
    description: 'Also memories that the service made for itself, such as MetaPattern; default false.',
  },
  {
    name: 'facets',
    kind: 'flag',
    description: 'Also counts the memories of the filter by type, by tag and by time; default false.',
  },
  consistentWith,
] as const satisfies readonly QueryParameter[];

export type ListQuery = QueryValues<typeof listQuery>;

const facets = {
  ...closed({
    types: { type: 'array', items: closed({ type: text, count }), description: 'Most memories first.' },
    tags: {
      type: 'array',
      items: closed({ tag: text, count }),
      maxItems: LIST_FACET_TAGS,
      description: 'The most frequent whole tags of the counted memories, in lower case.',
    },
    times: {
      ...closed({
        unit: { type: 'string', enum: LIST_TIME_UNITS },
        counts: { type: 'array', items: closed({ from: { ...text, format: 'date' }, count }) },
      }),
      description:
        'The counted memories by their timestamp: each part with a memory, the earliest first, with its first UTC date. A week begins on Monday. The range of the memories decides the unit.',
    },
    total: { ...count, description: 'Memories that the filter admits.' },
    counted: { ...count, description: 'Memories whose tags and times were counted, the first ones of the order.' },
    is_partial: { ...flag, description: 'There are more memories: `total` and `types` count only the `counted` ones.' },
  }),
  description: `Only with \`facets=true\`. Counts the first ${LIST_FACETS_LIMIT.toLocaleString('en')} memories of the filter. With at most \`types\` as a filter, \`total\` and \`types\` are exact.`,
} as const;

export const listOperations = {
  listMemories: {
    ...route('GET /memories', 'query', 'api'),
    cost: ({ facets: wanted, text: words }) => (wanted === true ? 60 : 8) * (words === undefined ? 1 : 2),
    tag: 'Memories',
    summary: 'List memories by words, type, tag and time, page by page',
    description: `Lists every memory that the filter admits, whatever its state. Nothing is ranked, and the reading does not count as an access. A page ends early at ${LIST_BYTES_LIMIT / 1_048_576} MB, or after ${LIST_SCAN_LIMIT.toLocaleString('en')} memories that the filter does not admit: follow \`next_cursor\` until it is null.`,
    query: listQuery,
    replies: {
      200: closed(
        {
          status: success,
          memories: { type: 'array', items: memorySchema },
          next_cursor: { ...textOrNull, description: 'The `cursor` of the next page; null after the last one.' },
        },
        { facets, consistency },
      ),
    },
  },
} as const satisfies Record<string, Operation>;
