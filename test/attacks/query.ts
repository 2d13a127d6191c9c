/** Attacks by queries: many, long, or with as many values as the limits allow. */
import { LIST_LIMIT, QUERIES_LIMIT } from '../../shared/contract/limits.js';
import { type Attack, many } from './attack.js';

const WORDS = ['spoke', 'harbour', 'lantern', 'ledger', 'kitten', 'tuna', 'deploy', 'outage', 'river', 'window'];

const LISTS = ['exclude_tags', 'context_tags', 'context_types', 'priority_ids'];

/** `count` recalls at the same time. */
function recalls(name: string, count: number, parameters: (index: number) => string): Attack {
  return {
    class: 'query',
    name,
    attack: ({ flood }) => flood(count, (index) => ({ path: `/recall?${parameters(index)}` })),
  };
}

/** As many values as a list may have. */
const listOf = (run: number): string[] => many(LIST_LIMIT - 1, (index) => `value${run}-${index}`);
/** The same of tags, one of which all spokes have. */
const tagsOf = (run: number): string => ['spoke', ...listOf(run)].map((tag) => `tags=${tag}`).join('&');
/** About 4,096 characters of words, each query another one. */
const longQuery = (run: number): string =>
  many(580, (index) => `${WORDS[(index * (run + 3)) % WORDS.length] ?? ''}${(index * run) % 97}`)
    .join('+')
    .slice(0, 4_096);

export const queryAttacks: readonly Attack[] = [
  recalls('50 recalls of ten queries of 4,096 characters', 50, (index) =>
    many(QUERIES_LIMIT, (number) => `queries=${longQuery(index * QUERIES_LIMIT + number)}`).join('&'),
  ),
  recalls('100 recalls without a query, limit 100', 100, () => 'limit=100'),
  recalls('50 recalls with 200 values in every list', 50, (index) =>
    [
      `query=spoke+${index}&limit=100&${tagsOf(index)}`,
      ...LISTS.map((name) => `${name}=${listOf(index).join(',')}`),
    ].join('&'),
  ),
  recalls('200 recalls with 100 results each', 200, (index) => `query=spoke+of+the+hub+${index}&limit=100`),
  recalls('400 recalls with a new query each', 400, (index) => `query=a+question+that+is+new+${index}`),
  recalls('50 recalls of 40,000 characters that are no words', 50, (index) => `query=${'a-'.repeat(20_000)}${index}`),
  recalls('100 explained recalls with ten queries each', 100, (index) =>
    [`explain=true&limit=100`, ...many(QUERIES_LIMIT, (number) => `queries=hub+${index}+${number}`)].join('&'),
  ),
  recalls('200 recalls with braces for a parser', 200, () => `query=x&explain=${'{'.repeat(40_000)}`),
  {
    class: 'query',
    name: '500 public documents without a token',
    attack: ({ flood }) => flood(500, () => ({ path: '/openapi.json', token: null }), 100),
  },
];
