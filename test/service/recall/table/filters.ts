/** Rows on the filters of each search (tags, exclusions, windows) and on listings without a query. */
import { near } from './pattern.js';
import type { Table } from './row.js';

const SHELF = 'tags=shelf&adaptive_floor=no&limit=10';

export const filters: Table = {
  subject: 'recall filter',
  scope: 'shelf',
  memories: {
    atlas: {
      content: 'Rollouts happen at night',
      tags: ['Project/Atlas', 'ops'],
      timestamp: '2017-03-01T10:00:00Z',
      importance: 0.9,
    },
    borea: {
      content: 'Rollouts need two people',
      tags: ['project:atlas:borea', 'deploy:eu'],
      timestamp: '2017-03-02T10:00:00.000002Z',
      importance: 0.8,
    },
    chart: {
      content: 'A map hangs on the wall',
      tags: ['projects', 'Karte für Köln'],
      timestamp: '2017-03-03T10:00:00.5Z',
      importance: 0.7,
    },
    dated: {
      content: 'ERR_CONN_4711 came back',
      tags: ['deployment', '100%'],
      timestamp: '2017-03-04T10:00:00Z',
      importance: 0.2,
      updated_at: '2017-05-01T00:00:00Z',
    },
    equal: {
      content: 'Two people met',
      tags: ["o'neil", 'a*b', '//x::y/'],
      timestamp: '2017-03-05T10:00:00Z',
      importance: 0.2,
      updated_at: '2017-04-01T00:00:00Z',
    },
  },
  rows: [
    {
      fact: 'matches tag prefixes without regard to case and delimiter',
      ask: ['project:atlas', 'PROJECT/ATLAS', 'Project', '/project//atlas/'].map((tag) => `tags=${tag}`),
      findsAll: ['atlas', 'borea'],
    },
    { fact: 'does not match a part of a tag word', ask: ['tags=proj', 'tags=project:at', 'tags=atlas'], finds: [] },
    {
      fact: 'matches a whole tag in any case, with its exact delimiters',
      ask: 'tags=PROJECT/atlas&tags=project:atlas&tag_match=exact',
      finds: ['atlas'],
    },
    {
      fact: 'needs any of several tags, or all with tag_mode=all',
      ask: 'tags=ops&tags=project&tag_mode=all',
      finds: ['atlas'],
    },
    {
      fact: 'needs all whole tags with tag_mode=all and tag_match=exact',
      ask: 'tags=OPS&tags=shelf&tag_mode=all&tag_match=exact',
      finds: ['atlas'],
    },
    {
      fact: 'treats special characters in tags literally',
      ask: ['a*b', "o'neil", 'x:y', 'X/Y', '%2F%2Fx'].map((tag) => `tags=${tag}`),
      finds: ['equal'],
    },
    {
      fact: 'accepts percent signs, blanks and any script in tags',
      ask: ['tags=100%25&tags=nothing', 'tags=DEPLOYMENT'],
      finds: ['dated'],
    },
    { fact: 'finds a tag in its own script', ask: 'tags=KARTE%20F%C3%9CR%20K%C3%96LN', finds: ['chart'] },
    {
      fact: 'applies tags to the results of a query',
      ask: 'query=rollouts+map+err_conn_4711&tags=ops',
      finds: ['atlas'],
    },
    {
      fact: 'excludes by the beginning of a tag',
      ask: `${SHELF}&exclude_tags=DEP`,
      finds: ['atlas', 'chart', 'equal'],
    },
    {
      fact: 'excludes by the beginning of a tag path with any delimiter',
      ask: `${SHELF}&exclude_tags=project/atlas:b`,
      findsAll: ['atlas', 'chart', 'dated', 'equal'],
    },
    {
      fact: 'applies exclusions to the results of a query',
      ask: `${SHELF}&query=rollouts&exclude_tags=ops,o'neil,100%25,projects`,
      finds: ['borea'],
    },
    {
      fact: 'includes both ends of a window to the microsecond',
      ask: `${SHELF}&start=2017-03-02T10:00:00.000002Z&end=2017-03-03T12:00:00.5%2B02:00`,
      finds: ['chart', 'borea'],
      shows: { sort: 'time_desc' },
    },
    {
      fact: 'excludes a microsecond outside a window',
      ask: `${SHELF}&start=2017-03-02T10:00:00.000003Z&end=2017-03-03T10:00:00.499999Z`,
      finds: [],
    },
    {
      fact: 'applies a window to the results of a query',
      ask: `${SHELF}&query=rollouts&start=2017-03-02&end=2017-03-02T23:59:59Z`,
      finds: ['borea'],
    },
    {
      fact: 'compares a window with timestamp, not updated_at',
      ask: 'tags=shelf&start=2017-04-01',
      finds: [],
    },
    {
      fact: 'finds by words of the content and the tags',
      ask: 'tags=shelf&query=err_conn_4711&limit=1',
      finds: ['dated'],
    },
    {
      fact: 'gives full keyword weight to a word of the content',
      ask: 'tags=projects&query=map',
      shows: { results: [{ id: '{chart}', score_components: { keyword: 1 } }] },
    },
    {
      fact: 'gives half keyword weight to a word of a tag',
      ask: 'tags=projects&query=projects',
      shows: { results: [{ id: '{chart}', score_components: { keyword: 0.5 } }] },
    },
    {
      fact: 'does not give a full match to words in another order',
      ask: 'tags=projects&query=hangs+map',
      shows: { results: [{ score_components: { keyword: near(2 / 3) } }] },
    },
    {
      fact: 'gives a full match to words in the order of the query',
      ask: ['map+hangs', 'hangs+on+the+wall'].map((query) => `tags=projects&query=${query}`),
      shows: { results: [{ score_components: { keyword: 1 } }] },
    },
    {
      fact: 'finds only by words without the vector index',
      without: 'vectors',
      ask: 'tags=shelf&query=rollout',
      findsAll: ['atlas', 'borea'],
    },
    {
      fact: 'orders a listing by importance, then by time',
      ask: 'tags=shelf',
      finds: ['atlas', 'borea', 'chart', 'equal', 'dated'],
    },
    {
      fact: 'orders a listing by the last change on request',
      ask: ['tags=shelf&sort=time_desc&limit=2', 'tags=shelf&sort=updated_desc&limit=2'],
      finds: ['dated', 'equal'],
    },
    {
      fact: 'lists a window without a query newest first',
      ask: ['', 'query=*&', 'tags=shelf&'].map((ask) => `${ask}start=2017-03-04&end=2017-03-05T11:00:00Z`),
      finds: ['dated', 'equal'],
      shows: { sort: 'time_desc' },
    },
    {
      fact: 'orders a window with a query by score',
      ask: [
        `${SHELF}&query=map&end=2020-01-01`,
        `${SHELF}&queries=map&end=2020-01-01`,
        `${SHELF}&sort=score&end=2020-01-01`,
      ],
      shows: { sort: 'score' },
    },
  ],
};
