/** Rows on the states of memories: what is superseded or out of date gives way to what is current. */
import { absent, anyOrder } from './pattern.js';
import type { Table } from './row.js';

const PAST = '2021-01-01T00:00:00Z';

export const states: Table = {
  subject: 'states',
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
      fact: 'what is superseded gives its place to the end of its chain',
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
      fact: 'a successor that is found itself is there once',
      ask: 'tags=ci&query=buildkite',
      finds: ['kite'],
      shows: { count: 1 },
    },
    {
      fact: 'expansion does not bring back what a result superseded',
      ask: 'tags=ci&query=build&expand=1&limit=3',
      finds: ['kite'],
      shows: { state_filter: { suppressed_count: 2 }, expansion: { seed_count: 1, expanded_count: 0 } },
    },
    {
      fact: 'a successor that the exclusions, the window or the tags keep out does not come',
      ask: ['exclude_tags=kite', 'end=2020-02-01'].map((filter) => `tags=ci&query=jenkins&${filter}`),
      finds: [],
      shows: { state_filter: { suppressed_count: 2, replacement_count: 0 } },
    },
    {
      fact: 'a successor outside the tags does not come',
      ask: 'tags=step1&query=step',
      finds: [],
      shows: { state_filter: { suppressed_count: 1 } },
    },
    {
      fact: 'what is expired, even now, or not valid yet does not come',
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
      fact: 'what is expired gives way to its successor',
      ask: 'tags=wifi&query=fridge',
      finds: ['dana'],
      shows: { results: [{ match_type: 'replacement', state_replaces: '{fridge}' }] },
    },
    { fact: 'a successor that has expired supersedes nothing', ask: 'tags=standup&query=standup', finds: ['nine'] },
    {
      fact: 'of several successors the one associated last stands in, however strong',
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
    { fact: 'a circle ends at its latest word', ask: 'tags=cycle', finds: ['tabs'] },
    { fact: 'a contradiction suppresses nothing', ask: 'tags=sky&query=sky', findsAll: ['blue', 'grey'] },
    {
      fact: 'a chain is followed over five associations',
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
      fact: 'history shows everything as it is',
      ask: ['state_mode=history', 'current_only=false'].map((mode) => `tags=sale&tags=ci&limit=9&${mode}`),
      findsAll: ['expired', 'coming', 'current', 'ending', 'jenkins', 'travis', 'kite'],
      shows: { state_filter: absent, state_mode: 'history' },
    },
  ],
};
