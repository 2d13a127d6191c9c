/** Rows on the last stages: recency bias, adaptive floor, and the fallback to memories outside the tags. */
import { above, absent, aNumber, near } from './pattern.js';
import type { Table } from './row.js';

const LATEST = [
  'latest',
  'most+recent',
  'recently',
  'current',
  'currently',
  'now',
  'nowadays',
  'today',
  'changed',
  'updated',
  'last+time',
  'newest',
  'these+days',
  'anymore',
];
const KESTREL = 'tags=birds&query=kestrel+habitat+survey';
const TEA = 'query=brewing+green+tea&scope_fallback=true';

export const endings: Table = {
  subject: 'recall ranking',
  scope: 'end',
  memories: {
    old: {
      content: 'The tram stops at the harbour',
      tags: ['tram'],
      timestamp: '2020-01-01T00:00:00Z',
      importance: 0.6,
    },
    mid: {
      content: 'The tram goes past the market',
      tags: ['tram', 'market'],
      timestamp: '2020-01-02T00:00:00Z',
      importance: 0.1,
    },
    new: {
      content: 'The tram stops at the museum',
      tags: ['tram'],
      timestamp: '2020-01-03T00:00:00Z',
      importance: 0.3,
    },
    survey: { content: 'Kestrel habitat survey', tags: ['birds'] },
    sighted: { content: 'Kestrel sightings', tags: ['birds'] },
    rain: { content: 'Rain in the valley', tags: ['birds'] },
    boots: { content: 'Boots at the door', tags: ['birds'] },
    inside: { content: 'Brewing green tea takes two minutes', tags: ['kitchen'], timestamp: '2020-01-01T00:00:00Z' },
    near: { content: 'Green tea is brewed at eighty degrees', tags: ['drinks'], timestamp: '2020-01-02T00:00:00Z' },
    repeat: { content: 'brewing green tea takes TWO minutes!', tags: ['drinks'], timestamp: '2020-01-02T00:00:00Z' },
    secret: {
      content: 'Green tea for the secret brew',
      tags: ['drinks', 'private:mine'],
      timestamp: '2020-01-03T00:00:00Z',
    },
    expired: { content: 'Brewing green tea in a sock', tags: ['drinks'], t_invalid: '2021-01-01T00:00:00Z' },
    stale: { content: 'Brewing green tea with boiling water', tags: ['drinks'], timestamp: '2020-01-05T00:00:00Z' },
    fresh: { content: 'Let the water cool down first', tags: ['water'], timestamp: '2020-01-06T00:00:00Z' },
  },
  associations: [['stale', 'EVOLVED_INTO', 'fresh', 0.9]],
  rows: [
    {
      fact: 'adds a recency bias of up to 0.1 to the newest result',
      ask: 'tags=tram&query=tram+stops&recency_bias=on',
      shows: { recency_bias: 'on', results: { 0: { id: '{new}', score_components: { temporal: 1 } } } },
    },
    {
      fact: 'adds a part of the recency bias to a result in between',
      ask: 'tags=tram&query=market&recency_bias=on',
      shows: { results: { 0: { id: '{mid}', score_components: { temporal: near(0.5) } } } },
    },
    {
      fact: 'has no recency bias by default',
      ask: 'tags=tram&query=tram+stops',
      shows: { recency_bias: absent, results: { 0: { id: '{old}', score_components: { temporal: absent } } } },
    },
    {
      fact: 'turns on recency_bias=auto for words like latest',
      ask: LATEST.map((word) => `tags=tram&query=tram+${word}&recency_bias=auto`),
      shows: { recency_bias: 'on' },
    },
    {
      fact: 'matches whole words for recency_bias=auto',
      ask: ['nowhere', 'currency', 'update', 'unchanged'].map(
        (word) => `tags=tram&query=tram+${word}&recency_bias=auto`,
      ),
      shows: { recency_bias: absent },
    },
    {
      fact: 'checks each of several queries for recency_bias=auto',
      ask: 'tags=tram&queries=market,latest+stop&recency_bias=auto',
      shows: { recency_bias: 'on' },
    },
    {
      fact: 'ignores a replaced query for recency_bias=auto',
      ask: 'tags=tram&query=latest&queries=market&recency_bias=auto',
      shows: { recency_bias: absent },
    },
    {
      fact: 'covers days for a query about a history, without a recency bias',
      ask: ['summarize+tram', 'tram+over+time', 'in+which+order+tram'].map((query) => `tags=tram&query=${query}`),
      shows: { day_coverage: 'on', recency_bias: absent },
    },
    {
      fact: 'covers no days for other queries, in time order or with a recency bias',
      ask: ['tram', 'in+order+to+tram', 'summarize+tram&sort=time_asc', 'summarize+tram&recency_bias=on'].map(
        (rest) => `tags=tram&query=${rest}`,
      ),
      shows: { day_coverage: absent },
    },
    {
      fact: 'has no recency bias in time order or without results',
      ask: ['sort=time_asc', 'exclude_tags=tram'].map((rest) => `tags=tram&query=tram&recency_bias=on&${rest}`),
      shows: { recency_bias: absent },
    },
    {
      fact: 'shows the recency bias, without effect for equal times',
      ask: 'tags=market&query=tram&recency_bias=on',
      sameAs: 'tags=market&query=tram',
      shows: { recency_bias: 'on', results: [{ score_components: { temporal: absent } }] },
    },
    {
      fact: 'drops results below the widest score gap',
      ask: KESTREL,
      shows: {
        results: { 0: { id: '{survey}' }, 1: { id: '{sighted}' } },
        score_filter: { min_score: null, adaptive_floor: aNumber, filtered_count: above(0) },
      },
    },
    {
      fact: 'has no floor for three results or fewer',
      ask: [`${KESTREL}&limit=3`, `${KESTREL}&exclude_tags=nothing&limit=2`],
      shows: { score_filter: absent },
    },
    {
      fact: 'has no floor in time order or in a listing',
      ask: [`${KESTREL}&sort=time_desc`, 'tags=birds', 'tags=birds&query=*'],
      shows: { score_filter: absent, count: 4 },
    },
    {
      fact: 'has no floor that drops more than half of the results',
      ask: 'tags=birds&query=kestrel+sightings+survey+habitat&limit=100&adaptive_floor=no',
      shows: { count: 4 },
    },
    {
      fact: 'applies the floor in addition to min_score',
      ask: `${KESTREL}&min_score=0.01`,
      shows: { score_filter: { min_score: 0.01, adaptive_floor: aNumber, filtered_count: above(0) } },
    },
    {
      fact: 'puts fallback results last and applies states to them',
      ask: `${TEA}&tags=kitchen&limit=3&exclude_tags=private,tram,birds`,
      shows: {
        results: {
          0: { id: '{inside}', outside_tag_scope: absent },
          1: { outside_tag_scope: true },
          2: { outside_tag_scope: true },
        },
        count: 3,
        scope_fallback: true,
      },
    },
    {
      fact: 'fills up to the limit',
      ask: `${TEA}&tags=kitchen&limit=1`,
      finds: ['inside'],
      shows: { scope_fallback: absent },
    },
    {
      fact: 'applies the window to fallback results',
      ask: `${TEA}&tags=kitchen&start=2020-01-01&end=2020-01-02T12:00:00Z&exclude_tags=tram&limit=2`,
      finds: ['inside', 'near'],
    },
    {
      fact: 'applies min_score to fallback results',
      ask: `${TEA}&tags=kitchen&min_score=1`,
      finds: [],
      shows: { scope_fallback: true },
    },
    {
      fact: 'can fall back to a successor',
      ask: `${TEA}&tags=kitchen&start=2020-01-05&end=2020-01-06T12:00:00Z&limit=1`,
      finds: ['fresh'],
      shows: { results: [{ state_replaces: '{stale}', outside_tag_scope: true }] },
    },
    {
      fact: 'falls back to lapsed memories in history mode',
      ask: `${TEA}&tags=kitchen&start=2020-01-04&end=2020-01-05T12:00:00Z&state_mode=history`,
      finds: ['stale'],
    },
    {
      fact: 'can consist of fallback results only',
      ask: `${TEA}&tags=nowhere&start=2020-01-02&end=2020-01-02T12:00:00Z&exclude_tags=tram`,
      findsAll: ['near', 'repeat'],
    },
    {
      fact: 'never repeats a result in the fallback',
      ask: `${TEA}&tags=kitchen&start=2020-01-01&end=2020-01-02T12:00:00Z&exclude_tags=tram&limit=9`,
      shows: { results: { 0: { id: '{inside}' } } },
    },
    {
      fact: 'has no fallback without tags, search or request',
      ask: [
        'query=tea&scope_fallback=1',
        'tags=kitchen&scope_fallback=1',
        'tags=kitchen&query=*&scope_fallback=1',
        'tags=kitchen&query=tea',
        'tags=kitchen&query=tea&scope_fallback=perhaps',
      ],
      shows: { scope_fallback: absent },
    },
    {
      fact: 'has no fallback while the vector index is unavailable',
      without: 'vectors',
      ask: `${TEA}&tags=kitchen`,
      finds: ['inside'],
      shows: { scope_fallback: absent },
    },
  ],
};
