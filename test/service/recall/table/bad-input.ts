/**
 * Rows on invalid, extreme and repeated values of each parameter: the reply is either a 400 with a reason or a normal
 * answer.
 */
import type { QueryParameter } from '../../../../shared/contract/queries.js';
import { recallQuery } from '../../../../shared/contract/queries/recall-query.js';
import { aNumber } from './pattern.js';
import type { Row, Table } from './row.js';

const PARAMETERS: readonly QueryParameter[] = recallQuery;
const NAMES = PARAMETERS.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
const STRANGE = [
  '%25',
  '*',
  '%22',
  "'",
  '%22%20OR%201=1%20--',
  '/',
  ':',
  '/:/',
  '%5C',
  '(((',
  'NEAR(a%20b)',
  '%F0%9F%A6%93',
  '%E2%80%AE',
  'x'.repeat(3_000),
  Array(200).fill('a/b').join(','),
];
const NUMBERS = [
  '-1',
  '0',
  '1e308',
  '-1e308',
  '99999999999999999999',
  '0.5',
  'NaN',
  'Infinity',
  '0x10',
  '%D9%A3',
  '1,2',
];
const BROKEN_TIMES = [
  '0000-01-01',
  '2024-02-30',
  '2024-13-01',
  '99999-01-01',
  '1709251200',
  'now',
  '2024-01-01T25:00:00Z',
];
/**
 * The parameters that reject some values, with the beginning of the message. `state_mode` names its values, `embedding`
 * its length.
 */
const REFUSING: Readonly<Record<string, string>> = {
  embedding: 'Embedding must contain',
  state_mode: "'state_mode' must be",
  distinct_by: "'distinct_by' must be",
  explain: "'explain' must be",
  time_query: 'time_query',
  time: 'time_query',
  start: 'Invalid start time',
  end: 'Invalid end time',
  consistent_with: "'consistent_with' must be",
};
const listed = (name: string, values: readonly string[]): readonly string[] =>
  values.map((value) => `tags=odd&limit=1&${name}=${value}`);
const vector = (text: string): string => Array(384).fill(text).join(',');

const PLAIN = NAMES.filter((name) => !(name in REFUSING) && name !== 'queries');
const LISTS = PARAMETERS.filter(({ kind }) => kind === 'list' || kind === 'repeated').map(({ name }) => name);
const valuesOf = (name: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `${name}=${index}`).join('&');

export const badInput: Table = {
  subject: 'recall, bad input',
  scope: 'odd',
  memories: { odd: { content: 'Odd socks' } },
  rows: [
    ...PLAIN.map((name): Row => ({
      parameter: name,
      fact: `accepts any text, number and repeat in ${name}`,
      ask: [
        ...listed(name, ['%25*%22%27/:%5C', '-1e308']),
        `tags=odd&${valuesOf(name, LISTS.includes(name) ? 150 : 300)}`,
      ],
      shows: { status: 'success' },
    })),
    ...LISTS.filter((name) => name !== 'queries').map((name): Row => ({
      parameter: name,
      fact: `rejects more than 200 values in ${name}`,
      ask: [
        valuesOf(name, 201),
        `${name}=${Array(10_000).fill('a').join(',')}&${name}=${Array(201).fill('b').join(`&${name}=`)}`,
      ],
      rejects: `'${name}' must hold at most 200 values`,
    })),
    ...[...STRANGE, ...NUMBERS].map((value): Row => ({
      fact: `accepts ${value.slice(0, 24)} in each parameter`,
      ask: PLAIN.map((name) => `${name}=${value.slice(0, 1_500)}`).join('&'),
      shows: { status: 'success', count: aNumber },
    })),
    ...Object.entries(REFUSING).map(([name, refuses]): Row => ({
      parameter: name,
      fact: `names the accepted values of ${name} in a 400`,
      ask: listed(name, STRANGE),
      rejects: refuses,
    })),
    {
      fact: 'treats a blank parameter as absent',
      ask: ['', '%20', '%09%0A'].map((blank) => `tags=odd&${NAMES.map((name) => `${name}=${blank}`).join('&')}`),
      sameAs: 'tags=odd',
    },
    ...PARAMETERS.flatMap(({ name, aliases = [] }) =>
      [name, ...aliases].map((spelling): Row => ({
        parameter: spelling,
        fact: `rejects NUL in ${spelling}`,
        ask: `${spelling}=a%00b`,
        rejects: `'${name}' must not contain the character U+0000`,
      })),
    ),
    {
      parameter: 'queries',
      fact: 'accepts any text in queries',
      ask: listed('queries', [...STRANGE.slice(0, -2), ...NUMBERS.slice(0, 4)]),
      shows: { status: 'success' },
    },
    {
      parameter: 'queries',
      fact: 'rejects a hundred queries',
      ask: [
        Array.from({ length: 100 }, (_, index) => `queries=q${index}`).join('&'),
        `queries=${Array(100).fill('q').join(',')}`,
        STRANGE.slice(-1)
          .map((many) => `queries=${many}`)
          .join(''),
      ],
      rejects: "'queries' must hold at most 10 values",
    },
    {
      parameter: 'query',
      fact: 'searches for the beginning of a 50 KB query',
      ask: `tags=odd&query=socks+${'walrus+'.repeat(7_000)}`,
      finds: ['odd'],
    },
    { parameter: 'query', fact: 'rejects a query string of 100 KB', ask: `query=${'x'.repeat(100_000)}`, status: 414 },
    {
      parameter: 'embedding',
      fact: 'rejects an embedding of another size, with text or all zeros',
      ask: [
        '1,2,3',
        `${vector('0.5')},0.5`,
        vector('NaN'),
        vector('Infinity'),
        vector('1e999'),
        vector('x'),
        vector('0'),
        ',',
      ].map((value) => `embedding=${value}`),
      rejects: 'Embedding must contain',
    },
    ...['start', 'end'].map((name): Row => ({
      parameter: name,
      fact: `rejects an instant that does not exist in ${name}`,
      ask: BROKEN_TIMES.map((time) => `${name}=${time}`),
      rejects: `Invalid ${name} time: Invalid ISO timestamp`,
    })),
    {
      parameter: 'time_query',
      fact: 'rejects a time_query with a reversed or impossible window',
      ask: ['last+-3+days', 'last+99999999999+years', 'between+2024-02-01+and+2024-01-01', 'last+x+days'].map(
        (time) => `time_query=${time}`,
      ),
      rejects: 'time_query',
    },
    {
      fact: 'ignores any number of unknown parameters',
      ask: `tags=odd&${Array.from({ length: 500 }, (_, index) => `p${index}=${index}`).join('&')}&__proto__=1&constructor=2`,
      sameAs: 'tags=odd',
    },
    {
      fact: 'ignores a parameter name in another case',
      ask: 'tags=odd&LIMIT=x&Sort=y&STATE_MODE=z',
      sameAs: 'tags=odd',
    },
    {
      fact: 'keeps broken percent escapes as text',
      ask: ['tags=odd&query=%', 'tags=odd&query=%zz', 'tags=odd&query=%C3%28'],
      shows: { status: 'success' },
    },
  ],
};
