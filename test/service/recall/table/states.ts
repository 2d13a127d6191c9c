/** Rows on the states of memories: a superseded or invalid memory is replaced by its current successor. */
import { absent, anyOrder } from './pattern.js';
import type { Table } from './row.js';

const PAST = '2021-01-01T00:00:00Z';

export const states: Table = {
  subject: 'recall states',
  scope: 'past',
  memories: {
    jenkins: { content: 'We build with Jenkins', tags: ['ci'] },
    travis: { content: 'We build with Travis', tags: ['ci'] },
    kite: { content: 'We build with Buildkite', tags: ['ci', 'kite'], timestamp: '2020-05-01T00:00:00Z' },
    expired: { content: 'A sale in May', tags: ['sale'], t_invalid: PAST },
    coming: { content: 'A sale some day', tags: ['sale'], t_valid: '2999-01-01T00:00:00Z' },
    current: {
      content: 'There is no sale',
      tags: ['sale'],
      t_valid: '2026-03-12T12:00:00Z',
      t_invalid: '2026-03-12T12:00:01Z',
    },
    ending: { content: 'A sale that ends now', tags: ['sale'], t_invalid: '2026-03-12T12:00:00Z' },
    fridge: { content: 'The password is on the fridge', tags: ['wifi'], t_invalid: PAST },
    dana: { content: 'Ask Dana', tags: ['wifi'] },
    nine: { content: 'Standup at nine', tags: ['standup'] },
    ten: { content: 'Standup at ten in summer', tags: ['standup'], t_invalid: PAST },
    fork: { content: 'Two ways lead on', tags: ['fork'] },
    left: { content: 'To the left', tags: ['fork'] },
    right: { content: 'To the right', tags: ['fork'] },
    tabs: { content: 'Tabs', tags: ['cycle'] },
    blanks: { content: 'Blanks', tags: ['cycle'] },
    blue: { content: 'The sky is blue', tags: ['sky'] },
    grey: { content: 'The sky is grey', tags: ['sky'] },
    ...Object.fromEntries(
      [1, 2, 3, 4, 5, 6, 7].map((step) => [
        `step${step}`,
        { content: `Step ${step} of a chain`, tags: [`step${step}`] },
      ]),
    ),
  },
  associations: [
    ['jenkins', 'EVOLVED_INTO', 'travis', 0.8],
    ['travis', 'INVALIDATED_BY', 'kite', 0.6],
    ['fridge', 'INVALIDATED_BY', 'dana', 0.9],
    ['nine', 'EVOLVED_INTO', 'ten', 0.9],
    ['fork', 'EVOLVED_INTO', 'left', 1],
    ['fork', 'INVALIDATED_BY', 'right', 0.1],
    ['tabs', 'EVOLVED_INTO', 'blanks', 0.5],
    ['blanks', 'EVOLVED_INTO', 'tabs', 0.5],
    ['blue', 'CONTRADICTS', 'grey', 1],
    ...[1, 2, 3, 4, 5, 6].map((step) => [`step${step}`, 'EVOLVED_INTO', `step${step + 1}`, 0.5] as const),
  ],
  rows: [
    {
      fact: 'replace a superseded memory by the end of its chain',
      ask: 'tags=ci&query=jenkins&state_debug=1',
      finds: ['kite'],
      shows: {
        state_filter: {
          suppressed_count: 2,
          replacement_count: 1,
          replacements: [{ id: '{kite}', replaces_id: '{jenkins}', relation_type: 'EVOLVED_INTO' }],
          suppressed: anyOrder(
            { id: '{jenkins}', reason: 'superseded', replacement_id: '{kite}', relation_type: 'EVOLVED_INTO' },
            { id: '{travis}', reason: 'superseded', replacement_id: '{kite}', relation_type: 'INVALIDATED_BY' },
          ),
        },
      },
    },
    {
      fact: 'show a successor once if a search also finds it',
      ask: 'tags=ci&query=buildkite',
      finds: ['kite'],
      shows: { count: 1 },
    },
    {
      fact: 'keep a superseded memory out of the expansion',
      ask: 'tags=ci&query=build&expand=1&limit=3',
      finds: ['kite'],
      shows: { state_filter: { suppressed_count: 2 }, expansion: { seed_count: 1, expanded_count: 0 } },
    },
    {
      fact: 'leave out a successor that the filters exclude',
      ask: ['exclude_tags=kite', 'end=2020-02-01'].map((filter) => `tags=ci&query=jenkins&${filter}`),
      finds: [],
      shows: { state_filter: { suppressed_count: 2, replacement_count: 0 } },
    },
    {
      fact: 'leave out a successor outside the tags',
      ask: 'tags=step1&query=step',
      finds: [],
      shows: { state_filter: { suppressed_count: 1 } },
    },
    {
      fact: 'leave out expired and not yet valid memories',
      ask: ['tags=sale&query=sale', 'tags=sale'].map((ask) => `${ask}&state_debug=1`),
      finds: ['current'],
      shows: {
        state_filter: {
          suppressed: anyOrder(
            { id: '{expired}', reason: 'expired' },
            { id: '{ending}', reason: 'expired' },
            { id: '{coming}', reason: 'not_yet_valid' },
          ),
        },
      },
    },
    {
      fact: 'replace an expired memory by its successor',
      ask: 'tags=wifi&query=fridge',
      finds: ['dana'],
      shows: { results: [{ match_type: 'replacement', state_replaces: '{fridge}' }] },
    },
    { fact: 'ignore a successor that has expired', ask: 'tags=standup&query=standup', finds: ['nine'] },
    {
      fact: 'use the successor that was associated last',
      ask: 'tags=fork&query=two+ways&state_debug=1',
      findsAll: ['right', 'left'],
      shows: {
        state_filter: {
          suppressed: [
            { id: '{fork}', reason: 'superseded', replacement_id: '{right}', relation_type: 'INVALIDATED_BY' },
          ],
        },
      },
    },
    { fact: 'end a circle at its newest memory', ask: 'tags=cycle', finds: ['tabs'] },
    { fact: 'suppress no memory for a contradiction', ask: 'tags=sky&query=sky', findsAll: ['blue', 'grey'] },
    {
      fact: 'follow a chain over five associations',
      ask: 'tags=step1&tags=step6&query=step&state_debug=1',
      shows: {
        state_filter: {
          suppressed: anyOrder(
            { id: '{step1}', reason: 'superseded', replacement_id: '{step6}' },
            { id: '{step6}', replacement_id: '{step7}' },
          ),
        },
      },
    },
    {
      fact: 'show all memories unchanged in history mode',
      ask: ['state_mode=history', 'current_only=false'].map((mode) => `tags=sale&tags=ci&limit=9&${mode}`),
      findsAll: ['expired', 'coming', 'current', 'ending', 'jenkins', 'travis', 'kite'],
      shows: { state_filter: absent, state_mode: 'history' },
    },
  ],
};
