/** Rows on nonsense, extremes and repetition in every parameter: a 400 that says why, or an answer; nothing else. */
import { recallQuery, type QueryParameter } from '../../../shared/contract/queries.js';
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
  Array(500).fill('a/b').join(','),
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
/** Those that refuse some of it; `state_mode` names what it takes, `embedding` how many numbers. */
const REFUSING: Readonly<Record<string, string>> = {
  embedding: 'Embedding must contain',
  state_mode: "'state_mode' must be",
  explain: "'explain' must be",
  time_query: 'time_query',
  time: 'time_query',
  start: 'Invalid start time',
  end: 'Invalid end time',
  consistent_with: "'consistent_with' must be",
};
const listed = (name: string, values: readonly string[]): readonly string[] =>
  values.map((value) => `tags=odd&limit=1&${name}=${value}`);
const vector = (text: string): string => Array(512).fill(text).join(',');

const PLAIN = NAMES.filter((name) => !(name in REFUSING) && name !== 'queries');

export const badInput: Table = {
  subject: 'bad input',
  scope: 'odd',
  memories: { odd: { content: 'Odd socks' } },
  rows: [
    ...PLAIN.map((name): Row => ({
      of: name,
      fact: `${name} takes any text and any number, and may be repeated`,
      ask: [
        ...listed(name, ['%25*%22%27/:%5C', '-1e308']),
        `tags=odd&${Array.from({ length: 300 }, (_, index) => `${name}=${index}`).join('&')}`,
      ],
      shows: { status: 'success' },
    })),
    ...[...STRANGE, ...NUMBERS].map((value): Row => ({
      fact: `any parameter may be ${value.slice(0, 24)}`,
      ask: PLAIN.map((name) => `${name}=${value.slice(0, 1_500)}`).join('&'),
      shows: { status: 'success', count: aNumber },
    })),
    ...Object.entries(REFUSING).map(([name, refuses]): Row => ({
      of: name,
      fact: `${name} is refused by what it takes instead`,
      ask: listed(name, STRANGE),
      refuses,
    })),
    {
      fact: 'a blank parameter is as good as none',
      ask: ['', '%20', '%09%0A'].map((blank) => `tags=odd&${NAMES.map((name) => `${name}=${blank}`).join('&')}`),
      sameAs: 'tags=odd',
    },
    ...PARAMETERS.flatMap(({ name, aliases = [] }) =>
      [name, ...aliases].map((spelling): Row => ({
        of: spelling,
        fact: `${spelling} takes no NUL`,
        ask: `${spelling}=a%00b`,
        refuses: `'${name}' must not contain the character U+0000`,
      })),
    ),
    {
      of: 'queries',
      fact: 'queries take any text',
      ask: listed('queries', [...STRANGE.slice(0, -2), ...NUMBERS.slice(0, 4)]),
      shows: { status: 'success' },
    },
    {
      of: 'queries',
      fact: 'a hundred queries are refused',
      ask: [
        Array.from({ length: 100 }, (_, index) => `queries=q${index}`).join('&'),
        `queries=${Array(100).fill('q').join(',')}`,
        STRANGE.slice(-1)
          .map((many) => `queries=${many}`)
          .join(''),
      ],
      refuses: "'queries' must hold at most 10 queries",
    },
    {
      of: 'query',
      fact: 'a query of 50 KB is searched for by its beginning',
      ask: `tags=odd&query=socks+${'walrus+'.repeat(7_000)}`,
      finds: ['odd'],
    },
    { of: 'query', fact: 'a query string of 100 KB is too long', ask: `query=${'x'.repeat(100_000)}`, status: 414 },
    {
      of: 'embedding',
      fact: 'an embedding is as long as the vectors and holds numbers alone, not all of them 0',
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
      refuses: 'Embedding must contain',
    },
    ...['start', 'end'].map((name): Row => ({
      of: name,
      fact: `${name} is no instant that does not exist`,
      ask: BROKEN_TIMES.map((time) => `${name}=${time}`),
      refuses: `Invalid ${name} time: Invalid ISO timestamp`,
    })),
    {
      of: 'time_query',
      fact: 'a time in words that ends before it starts, or beyond all calendars, is refused',
      ask: ['last+-3+days', 'last+99999999999+years', 'between+2024-02-01+and+2024-01-01', 'last+x+days'].map(
        (time) => `time_query=${time}`,
      ),
      refuses: 'time_query',
    },
    {
      fact: 'parameters that do not exist are ignored, however many',
      ask: `tags=odd&${Array.from({ length: 500 }, (_, index) => `p${index}=${index}`).join('&')}&__proto__=1&constructor=2`,
      sameAs: 'tags=odd',
    },
    {
      fact: 'a parameter whose name is in other letters does not exist',
      ask: 'tags=odd&LIMIT=x&Sort=y&STATE_MODE=z',
      sameAs: 'tags=odd',
    },
    {
      fact: 'escapes that are broken are taken as they are',
      ask: ['tags=odd&query=%', 'tags=odd&query=%zz', 'tags=odd&query=%C3%28'],
      shows: { status: 'success' },
    },
  ],
};
