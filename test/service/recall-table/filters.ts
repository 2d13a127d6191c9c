/** Rows on what every search is narrowed by: tags, exclusions, windows; and on what is listed where there is no query. */
import { near } from './pattern.js';
import type { Table } from './row.js';

const SHELF = 'tags=shelf&adaptive_floor=no&limit=10';

export const filters: Table = {
  subject: 'filters, words and lists',
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
      fact: 'a tag matches by its prefixes, whatever the case and the delimiter',
      ask: ['project:atlas', 'PROJECT/ATLAS', 'Project', '/project//atlas/'].map((tag) => `tags=${tag}`),
      findsAll: ['atlas', 'borea'],
    },
    { fact: 'a part of a word is no prefix of a tag', ask: ['tags=proj', 'tags=project:at', 'tags=atlas'], finds: [] },
    {
      fact: 'a whole tag matches without regard to case, its delimiters as they are written',
      ask: 'tags=PROJECT/atlas&tags=project:atlas&tag_match=exact',
      finds: ['atlas'],
    },
    {
      fact: 'any of several tags is enough, and all are wanted on demand',
      ask: 'tags=ops&tags=project&tag_mode=all',
      finds: ['atlas'],
    },
    { fact: 'all of several whole tags', ask: 'tags=OPS&tags=shelf&tag_mode=all&tag_match=exact', finds: ['atlas'] },
    {
      fact: 'signs in tags mean themselves',
      ask: ['a*b', "o'neil", 'x:y', 'X/Y', '%2F%2Fx'].map((tag) => `tags=${tag}`),
      finds: ['equal'],
    },
    {
      fact: 'percent, blanks and letters of any script are parts of a tag',
      ask: ['tags=100%25&tags=nothing', 'tags=DEPLOYMENT'],
      finds: ['dated'],
    },
    { fact: 'a tag is found in its own script', ask: 'tags=KARTE%20F%C3%9CR%20K%C3%96LN', finds: ['chart'] },
    {
      fact: 'the tags hold for what a query finds as well',
      ask: 'query=rollouts+map+err_conn_4711&tags=ops',
      finds: ['atlas'],
    },
    {
      fact: 'an exclusion is the beginning of a tag as it is written',
      ask: `${SHELF}&exclude_tags=DEP`,
      finds: ['atlas', 'chart', 'equal'],
    },
    {
      fact: 'an exclusion is the beginning of a path of tags, whatever the delimiter',
      ask: `${SHELF}&exclude_tags=project/atlas:b`,
      findsAll: ['atlas', 'chart', 'dated', 'equal'],
    },
    {
      fact: 'exclusions hold for what a query finds as well',
      ask: `${SHELF}&query=rollouts&exclude_tags=ops,o'neil,100%25,projects`,
      finds: ['borea'],
    },
    {
      fact: 'a window holds both of its ends, to the microsecond',
      ask: `${SHELF}&start=2017-03-02T10:00:00.000002Z&end=2017-03-03T12:00:00.5%2B02:00`,
      finds: ['chart', 'borea'],
      shows: { sort: 'time_desc' },
    },
    {
      fact: 'a microsecond beside an end is outside',
      ask: `${SHELF}&start=2017-03-02T10:00:00.000003Z&end=2017-03-03T10:00:00.499999Z`,
      finds: [],
    },
    {
      fact: 'a window holds for what a query finds as well',
      ask: `${SHELF}&query=rollouts&start=2017-03-02&end=2017-03-02T23:59:59Z`,
      finds: ['borea'],
    },
    {
      fact: 'a window goes by the time of the memory, not of its last change',
      ask: 'tags=shelf&start=2017-04-01',
      finds: [],
    },
    {
      fact: 'words of the content and of the tags find, however the rest looks',
      ask: 'tags=shelf&query=err_conn_4711&limit=1',
      finds: ['dated'],
    },
    {
      fact: 'a word of the content counts in full',
      ask: 'tags=projects&query=map',
      shows: { results: [{ id: '{chart}', score_components: { keyword: 1 } }] },
    },
    {
      fact: 'a word of a tag counts half',
      ask: 'tags=projects&query=projects',
      shows: { results: [{ id: '{chart}', score_components: { keyword: 0.5 } }] },
    },
    {
      fact: 'all words in another order than the query do not match in full',
      ask: 'tags=projects&query=hangs+map',
      shows: { results: [{ score_components: { keyword: near(2 / 3) } }] },
    },
    {
      fact: 'all words in the order of the query match in full',
      ask: ['map+hangs', 'hangs+on+the+wall'].map((query) => `tags=projects&query=${query}`),
      shows: { results: [{ score_components: { keyword: 1 } }] },
    },
    {
      fact: 'words find without the vectors, and nothing is found that has none of them',
      without: 'vectors',
      ask: 'tags=shelf&query=rollout',
      findsAll: ['atlas', 'borea'],
    },
    {
      fact: 'a list is ordered by importance, then by time',
      ask: 'tags=shelf',
      finds: ['atlas', 'borea', 'chart', 'equal', 'dated'],
    },
    {
      fact: 'a list is ordered by the last change where that is asked for',
      ask: ['tags=shelf&sort=time_desc&limit=2', 'tags=shelf&sort=updated_desc&limit=2'],
      finds: ['dated', 'equal'],
    },
    {
      fact: 'a window without a query is listed by time, the newest first',
      ask: ['', 'query=*&', 'tags=shelf&'].map((ask) => `${ask}start=2017-03-04&end=2017-03-05T11:00:00Z`),
      finds: ['dated', 'equal'],
      shows: { sort: 'time_desc' },
    },
    {
      fact: 'a window with a query, an embedding or queries is ordered by score',
      ask: [
        `${SHELF}&query=map&end=2020-01-01`,
        `${SHELF}&queries=map&end=2020-01-01`,
        `${SHELF}&sort=score&end=2020-01-01`,
      ],
      shows: { sort: 'score' },
    },
  ],
};
