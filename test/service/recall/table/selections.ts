/** Rows on merging, ordering and cutting the candidates, and on several queries in one recall. */
import { absent, anyOrder, counting, matching } from './pattern.js';
import type { Table } from './row.js';

const MAPS = 'tags=maps&query=atlas+shows&adaptive_floor=no&limit=9';
const TEXT = 'Letters are kept in the blue box under the stairs. ';

export const selections: Table = {
  subject: 'recall selection',
  scope: 'box',
  memories: {
    bold: {
      content: '**Use** `pg-bouncer`, please: now!',
      tags: ['same'],
      importance: 0.4,
      timestamp: '2020-02-01T00:00:00Z',
    },
    plain: {
      content: 'use pg bouncer   please NOW',
      tags: ['same'],
      importance: 0.9,
      timestamp: '2020-01-01T00:00:00Z',
    },
    early: {
      content: 'Twice the same',
      tags: ['twice'],
      timestamp: '2019-01-01T00:00:00Z',
      importance: 0.5,
      confidence: 0.5,
    },
    late: {
      content: 'twice, the same',
      tags: ['twice'],
      timestamp: '2019-02-01T00:00:00Z',
      importance: 0.5,
      confidence: 0.5,
    },
    start: { content: `${TEXT.repeat(7)}The first ending`, tags: ['long'], importance: 0.9 },
    again: { content: `${TEXT.repeat(7)}Another one`, tags: ['long'], importance: 0.1 },
    japan: { content: '日本語', tags: ['script'] },
    china: { content: '中文', tags: ['script'] },
    signs: { content: '!!!', tags: ['script'] },
    marks: { content: '???', tags: ['script'] },
    report: {
      content: 'The weekly report of the garden team lists every plant that was watered and every plant that was moved',
      tags: ['garden'],
      importance: 0.9,
    },
    nearly: {
      content:
        'The weekly report of the garden team lists every plant that was watered and every plant that was quietly moved',
      tags: ['garden'],
      importance: 0.8,
    },
    number: {
      content:
        'The weekly report of the garden team lists every plant that was watered and every plant that was moved 12',
      tags: ['garden'],
      importance: 0.7,
    },
    one: {
      content: 'First of three',
      tags: ['times'],
      timestamp: '2018-01-01T00:00:00Z',
      importance: 0.9,
      updated_at: '2018-06-01T00:00:00Z',
    },
    two: { content: 'Second of three', tags: ['times'], timestamp: '2018-01-02T00:00:00Z', importance: 0.1 },
    three: {
      content: 'Third of three',
      tags: ['times'],
      timestamp: '2018-01-03T00:00:00Z',
      importance: 0.5,
      updated_at: '2018-06-01T00:00:00Z',
    },
    pool: { content: 'Chose PgBouncer for pooling', tags: ['stack'] },
    cache: { content: 'Redis caches the session tokens', tags: ['stack'] },
    queue: { content: 'Kafka carries billing', tags: ['stack'] },
    espresso: { content: 'The espresso machine needs descaling every month', tags: ['stack'] },
    tick2: { content: 'Tick two', tags: ['tick'], timestamp: '2017-01-01T00:00:00.000002Z' },
    tick1: { content: 'Tick one', tags: ['tick'], timestamp: '2017-01-01T00:00:00.000001Z' },
    tick5: { content: 'Tick five', tags: ['tick'], timestamp: '2017-01-01T00:00:00.5Z' },
    caroline: { content: 'Caroline writes at night', tags: ['people'] },
    atlas1: {
      content: 'The atlas shows the northern rivers',
      tags: ['maps'],
      importance: 0.9,
      metadata: { source_id: 'atlas', sheet: 1 },
    },
    atlas2: {
      content: 'The atlas shows the southern lakes',
      tags: ['maps'],
      importance: 0.6,
      metadata: { source_id: 'atlas', sheet: 2 },
    },
    chart: {
      content: 'A chart shows the coast',
      tags: ['maps'],
      importance: 0.3,
      metadata: { source_id: 'chart', sheet: 2 },
    },
    globe1: { content: 'One globe shows the oceans', tags: ['maps'], importance: 0.2 },
    globe2: {
      content: 'Another globe shows the deserts',
      tags: ['maps'],
      importance: 0.1,
      metadata: { source_id: ' ' },
    },
  },
  rows: [
    {
      fact: 'merges equal words into the memory with the higher score',
      ask: 'tags=same',
      finds: ['plain'],
      shows: { results: [{ deduped_from: anyOrder('{bold}', '{plain}') }] },
    },
    { fact: 'keeps the newer of two duplicates with equal scores', ask: 'tags=twice', finds: ['late'] },
    { fact: 'compares the first 320 characters of the contents', ask: 'tags=long', finds: ['start'] },
    {
      fact: 'keeps contents apart in any script and without letters',
      ask: 'tags=script',
      findsAll: ['japan', 'china', 'signs', 'marks'],
    },
    {
      fact: 'replaces a near duplicate by the next distinct result',
      ask: 'tags=garden&limit=2',
      finds: ['report', 'number'],
      shows: { results: { 0: { deduped_from: anyOrder('{report}', '{nearly}') }, 1: { deduped_from: absent } } },
    },
    {
      parameter: 'distinct_by',
      fact: 'gives one source_id one place, as distinct_by=source_id does',
      ask: [MAPS, `${MAPS}&distinct_by=source_id`, `${MAPS}&distinct_by=%20`],
      findsAll: ['atlas1', 'chart', 'globe1', 'globe2'],
      shows: {
        results: { 0: { id: '{atlas1}', source_pieces: ['{atlas2}'], deduped_from: absent } },
        dedup_removed: 0,
      },
    },
    {
      parameter: 'distinct_by',
      fact: 'gives each memory a place with distinct_by=none',
      ask: `${MAPS}&distinct_by=none`,
      findsAll: ['atlas1', 'atlas2', 'chart', 'globe1', 'globe2'],
      shows: { results: { 0: { source_pieces: absent } } },
    },
    {
      parameter: 'distinct_by',
      fact: 'gives equal numbers in the field of distinct_by one place',
      ask: `${MAPS}&distinct_by=sheet`,
      findsAll: ['atlas1', 'atlas2', 'globe1', 'globe2'],
      shows: { results: { 1: { id: '{atlas2}', source_pieces: ['{chart}'] } } },
    },
    {
      parameter: 'distinct_by',
      fact: 'gives each memory a place when none has the field of distinct_by',
      ask: `${MAPS}&distinct_by=constructor`,
      sameAs: `${MAPS}&distinct_by=none`,
    },
    {
      parameter: 'distinct_by',
      fact: 'ignores distinct_by in a listing, another order or history mode',
      ask: [
        'tags=maps&distinct_by=source_id',
        'tags=maps&query=*',
        `${MAPS}&sort=time_desc`,
        `${MAPS}&state_mode=history`,
      ],
      findsAll: ['atlas1', 'atlas2', 'chart', 'globe1', 'globe2'],
    },
    {
      parameter: 'distinct_by',
      fact: 'rejects a distinct_by that cannot name a field',
      ask: ['a%20b', 'a,b', 'metadata/id', '%C3%BC', 'x'.repeat(65)].map((field) => `distinct_by=${field}`),
      rejects: "'distinct_by' must be 1 to 64 letters, digits, '_', '-' or '.': name one metadata field, or none",
    },
    {
      fact: 'keeps the place of a piece that priority_ids names',
      ask: `${MAPS}&priority_ids={atlas2}`,
      findsAll: ['atlas2', 'atlas1', 'chart', 'globe1', 'globe2'],
      shows: { results: { 0: { id: '{atlas2}', source_pieces: absent } } },
    },
    {
      fact: 'counts repeated finds without the pieces of one source',
      ask: [MAPS, `${MAPS}&distinct_by=none`].map((ask) => `${ask}&queries=atlas+shows,atlas+rivers`),
      shows: { dedup_removed: 5 },
    },
    { fact: 'orders by score, best first', ask: 'tags=times', finds: ['one', 'three', 'two'] },
    {
      fact: 'orders by the last change, then by the newer memory',
      ask: ['time_desc', 'updated_desc'].flatMap((sort) => [
        `tags=times&sort=${sort}`,
        `tags=times&sort=${sort}&query=first`,
      ]),
      finds: ['three', 'one', 'two'],
    },
    {
      fact: 'reverses the order for time ascending',
      ask: ['time_asc', 'updated_asc'].flatMap((sort) => [
        `tags=times&sort=${sort}`,
        `tags=times&sort=${sort}&query=first`,
      ]),
      finds: ['two', 'one', 'three'],
    },
    {
      fact: 'compares times by microseconds and shows them unchanged',
      ask: 'tags=tick&sort=time_asc',
      finds: ['tick1', 'tick2', 'tick5'],
      shows: { results: { 1: { memory: { timestamp: '2017-01-01T00:00:00.000002+00:00' } } } },
    },
    {
      fact: 'ranks by meaning if no word is shared',
      ask: 'tags=stack&query=coffee&limit=1',
      finds: ['espresso'],
      shows: { results: [{ match_type: 'semantic', score_components: { keyword: 0 } }] },
    },
    {
      fact: 'takes the best of each query once and names the query',
      ask: 'tags=stack&queries=pooling,session+tokens,billing&per_query_limit=1',
      findsAll: ['pool', 'cache', 'queue'],
      shows: {
        results: anyOrder(
          { id: '{cache}', _query: 'session tokens' },
          { id: '{pool}', _query: 'pooling' },
          { id: '{queue}', _query: 'billing' },
        ),
        dedup_removed: 0,
      },
    },
    {
      fact: 'has a memory once if several queries find it',
      ask: 'tags=stack&queries=redis,session+tokens,redis+caches&per_query_limit=1',
      finds: ['cache'],
      shows: { dedup_removed: 2 },
    },
    {
      fact: 'applies the limit to all queries together',
      ask: 'tags=stack&queries=pooling,session+tokens,billing&limit=2',
      shows: { count: 2, results: counting(2) },
    },
    {
      fact: 'treats one entry of queries like the query',
      ask: 'tags=stack&queries=session+tokens',
      sameAs: 'tags=stack&query=session+tokens',
      shows: { queries: ['session tokens'], keywords: absent },
    },
    {
      fact: 'applies filters and order to all queries',
      ask: 'tags=stack&queries=pooling,session+tokens,billing&exclude_tags=same&sort=time_asc&start=2020-01-02',
      finds: [],
      shows: { sort: 'time_asc' },
    },
    {
      fact: 'decomposes into a name, name with topics, and name with plans',
      ask: 'tags=people&query=Would+Caroline+pursue+writing+as+a+career+option+today%3F&auto_decompose=true',
      shows: {
        queries: [
          'Would Caroline pursue writing as a career option today?',
          'Caroline',
          'Caroline writing',
          'Caroline career',
          'Caroline option',
          'Caroline interests goals plans',
        ],
      },
    },
    {
      fact: 'decomposes by a possessive name in any place',
      ask: ['John%27s+sister+likes+tea', 'John%E2%80%99s+sister+likes+tea'].map(
        (query) => `tags=people&query=${query}&auto_decompose=1`,
      ),
      shows: { queries: anyOrder('John', 'John sister', matching(/^John.s sister likes tea$/u)) },
    },
    {
      fact: 'decomposes by two names at most, and by no month',
      ask: 'tags=people&query=Does+Ann+meet+Bob+and+Carl+in+May%3F&auto_decompose=1',
      shows: { queries: ['Does Ann meet Bob and Carl in May?', 'Ann', 'Ann meet', 'Bob', 'Bob meet'] },
    },
    {
      fact: 'decomposes into three topics without names',
      ask: 'tags=people&query=where+does+the+gateway+keep+session+tokens&auto_decompose=1',
      shows: { queries: ['where does the gateway keep session tokens', 'gateway', 'keep', 'session'] },
    },
    {
      fact: 'decomposes nothing without a query',
      ask: ['tags=people&query=*&auto_decompose=1', 'tags=people&auto_decompose=1'],
      shows: { queries: absent },
    },
  ],
};
