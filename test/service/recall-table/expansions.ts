/** Rows on what is added along associations and by entities, and on what holds for it. */
import { anyOrder, counting, near } from './pattern.js';
import type { Row, Table } from './row.js';

const MILL = 'tags=mill&tag_match=exact&expand_relations=true';
const team = [1, 2, 3, 4, 5, 6];

export const expansions: Table = {
  subject: 'expansion',
  scope: 'town',
  memories: {
    mill: { content: 'The mill grinds rye', tags: ['mill'], importance: 0.8 },
    wheel: { content: 'The wheel turns', tags: ['mill'], importance: 0.4 },
    strong: { content: 'Rye comes from Baker', tags: ['rye'], importance: 0.9, timestamp: '2020-02-01T00:00:00Z' },
    weak: { content: 'Baker sleeps late', tags: ['sleep'], importance: 0.2, timestamp: '2020-03-01T00:00:00Z' },
    both: {
      content: 'Grease is in the shed',
      tags: ['shed', 'mill:shed'],
      importance: 0.5,
      timestamp: '2020-04-01T00:00:00Z',
    },
    far: { content: 'The shed has a lock', tags: ['shed'], importance: 0.9 },
    copy: { content: 'the wheel TURNS!', tags: ['copy'], importance: 0.9 },
    lapsed: { content: 'Barley came once', importance: 0.9, t_invalid: '2021-01-01T00:00:00Z' },
    former: { content: 'Stones of granite', importance: 0.6 },
    present: { content: 'Stones of basalt', tags: ['basalt'], importance: 0.5 },
    hub: { content: 'A hub', tags: ['hub'] },
    spoke1: { content: 'Spoke one', importance: 0.5 },
    spoke2: { content: 'Spoke two', importance: 0.5 },
    sister: {
      content: 'The sister of Amanda is Rachel',
      tags: ['kin', 'entity:people:amanda', 'entity:people:rachel'],
      importance: 0.9,
    },
    career: { content: 'She counsels in Trondheim', tags: ['entity:people:rachel'], importance: 0.7 },
    holiday: {
      content: 'By the sea',
      tags: ['entity:people:rachel', 'sea'],
      importance: 0.2,
      timestamp: '2020-05-01T00:00:00Z',
    },
    fjord: {
      content: 'Lunch at the fjord',
      tags: ['fjord'],
      metadata: { entities: { places: ['Old Fort'], organizations: ['Tram Works'] } },
    },
    fort: { content: 'The tram ends here', tags: ['entity:places:old-fort'], importance: 0.5 },
    works: { content: 'They build cars', tags: ['entity:organizations:tram-works'], importance: 0.4 },
    hammer: { content: 'A hammer fell', tags: ['hammer', 'entity:tools:hammer'] },
    nails: { content: 'Nails are sold out', tags: ['entity:tools:hammer'] },
    meeting: {
      content: 'Everybody met',
      tags: ['team', ...team.map((number) => `entity:people:member-${number}`)],
      importance: 1,
    },
    ...Object.fromEntries(
      team.flatMap((member) =>
        team.map((note) => [
          `note${member}_${note}`,
          { content: `Note ${note} on member ${member}`, tags: [`entity:people:member-${member}`] },
        ]),
      ),
    ),
  },
  associations: [
    ['mill', 'LEADS_TO', 'strong', 0.9],
    ['weak', 'DERIVED_FROM', 'mill', 0.2],
    ['mill', 'RELATES_TO', 'both', 0.5],
    ['both', 'PART_OF', 'wheel', 0.5],
    ['mill', 'RELATES_TO', 'wheel', 1],
    ['both', 'RELATES_TO', 'far', 1],
    ['mill', 'RELATES_TO', 'copy', 0.1],
    ['hub', 'RELATES_TO', 'lapsed', 1],
    ['hub', 'RELATES_TO', 'former', 0.5],
    ['former', 'EVOLVED_INTO', 'present', 0.7],
    ['hub', 'OCCURRED_BEFORE', 'spoke1', 0.5],
    ['spoke2', 'REINFORCES', 'hub', 0.5],
    ['hammer', 'RELATES_TO', 'fjord', 0.5],
  ],
  rows: [
    {
      fact: 'neighbours in both directions follow the results, the best first, and none that is shown already',
      ask: `${MILL}&limit=2`,
      finds: ['mill', 'wheel', 'strong', 'both', 'weak'],
      shows: { count: 5 },
    },
    {
      fact: 'an association counts its strength by the importance of the result at its other end, summed over all of them',
      ask: MILL,
      shows: {
        results: {
          3: { id: '{both}', relation_score: near(0.5 * 0.8 + 0.5 * 0.4), score_components: { relation: near(0.6) } },
        },
      },
    },
    {
      fact: 'only the results are followed, and no further',
      ask: `${MILL}&limit=1&relation_limit=200`,
      findsAll: ['mill', 'wheel', 'strong', 'both', 'weak'],
    },
    {
      fact: 'what says the same as another is added once',
      ask: `${MILL}&limit=1&expand_min_importance=0.4&exclude_tags=rye`,
      shows: { results: { 1: { id: '{wheel}', deduped_from: counting(2) } } },
    },
    {
      fact: 'the newest associations of each result are followed first',
      ask: `${MILL}&limit=1&relation_limit=3`,
      findsAll: ['mill', 'wheel', 'both'],
    },
    {
      fact: 'what is too weak takes no place among those that are followed',
      ask: `${MILL}&limit=1&relation_limit=2&expand_min_strength=0.9`,
      finds: ['mill', 'wheel', 'strong'],
    },
    {
      fact: 'what is added is held to an importance, the results are not',
      ask: `${MILL}&expand_min_importance=0.5`,
      finds: ['mill', 'wheel', 'strong', 'both'],
    },
    {
      fact: 'what is added is held to the exclusions',
      ask: `${MILL}&exclude_tags=rye,sleep`,
      finds: ['mill', 'wheel', 'both'],
    },
    {
      fact: 'what is added is held to the window',
      ask: `${MILL}&end=2020-02-02`,
      findsAll: ['mill', 'wheel', 'strong'],
    },
    { fact: 'what is added is held to the smallest score', ask: `${MILL}&min_score=0.99`, finds: [] },
    {
      fact: 'what is added is held to the tags on demand alone',
      ask: 'tags=mill&sort=time_asc&limit=1&expand=1&expand_respect_tags=1',
      shows: { expansion: { respect_tags: true } },
      findsAll: ['mill', 'wheel', 'both'],
    },
    {
      fact: 'what is added gives way to its successor, and what has lapsed is not added',
      ask: 'tags=hub&expand=1',
      findsAll: ['hub', 'present', 'spoke1', 'spoke2'],
      shows: { state_filter: { suppressed_count: 2, replacement_count: 1 } },
    },
    {
      fact: 'a successor shows the way to it, and what it stands in for',
      ask: 'tags=hub&expand=1',
      shows: {
        results: anyOrder(
          { id: '{hub}' },
          { id: '{spoke1}' },
          { id: '{spoke2}' },
          {
            id: '{present}',
            match_type: 'replacement',
            state_replaces: '{former}',
            relation_score: near(0.25),
            related_to: [{ type: 'RELATES_TO', from: '{hub}' }],
            relations: [{ type: 'EVOLVED_INTO', strength: 0.7, from: '{former}' }],
          },
        ),
      },
    },
    {
      fact: 'a successor is held to the importance',
      ask: 'tags=hub&expand=1&expand_min_importance=0.55',
      finds: ['hub'],
    },
    {
      fact: 'a successor is held to the filters as well',
      ask: 'tags=hub&expand=1&exclude_tags=basalt',
      findsAll: ['hub', 'spoke1', 'spoke2'],
    },
    {
      fact: 'in history all of it is added as it is',
      ask: 'tags=hub&expand=1&state_mode=history',
      findsAll: ['hub', 'lapsed', 'former', 'spoke1', 'spoke2'],
    },
    {
      fact: 'the query scores what is added as well',
      ask: `${MILL}&query=baker+sleeps+late&limit=1&adaptive_floor=no`,
      shows: { results: { 1: { id: '{weak}', match_type: 'relation', score_components: { keyword: 1 } } } },
    },
    {
      fact: 'an entity of a result leads to what shares it, worth 0.15',
      ask: 'tags=kin&expand_entities=1',
      finds: ['sister', 'career', 'holiday'],
      shows: {
        results: {
          1: { match_type: 'entity', expanded_from_entity: 'rachel', score_components: { entity_expansion: 0.15 } },
        },
        entity_expansion: { entities_found: ['amanda', 'rachel'] },
      },
    },
    {
      fact: 'places and organizations in the metadata lead on as well',
      ask: 'tags=fjord&expand_entities=1',
      findsAll: ['fjord', 'fort', 'works'],
      shows: { entity_expansion: { entities_found: ['old fort', 'tram works'] } },
    },
    ...[
      ['expansion_limit=1', ['sister', 'career']],
      ['expand_min_importance=0.5', ['sister', 'career']],
      ['exclude_tags=sea', ['sister', 'career']],
      ['end=2020-02-01', ['sister', 'career']],
      ['expand_respect_tags=1', ['sister']],
    ].map(([filter, found]): Row => ({
      fact: `what an entity led to is held to ${String(filter)}`,
      ask: `tags=kin&expand_entities=1&${String(filter)}`,
      finds: found as readonly string[],
    })),
    {
      fact: 'entities of other types lead on where people, places and organizations leave room',
      ask: 'tags=hammer&expand_entities=1',
      finds: ['hammer', 'nails'],
    },
    {
      fact: 'results that name nobody lead nowhere',
      ask: 'tags=rye&expand_entities=1',
      finds: ['strong'],
      shows: { entity_expansion: { enabled: true, expanded_count: 0, entities_found: [] } },
    },
    {
      fact: 'the entities of what associations added are followed as well',
      ask: 'tags=hammer&expand=1&expand_entities=1',
      findsAll: ['hammer', 'fjord', 'fort', 'works', 'nails'],
      shows: { entity_expansion: { entities_found: ['old fort', 'tram works', 'hammer'] } },
    },
    {
      fact: 'what associations added leaves less room for entities',
      ask: 'tags=hammer&expand=1&expand_entities=1&expansion_limit=1',
      finds: ['hammer', 'fjord'],
      shows: { expansion: { expanded_count: 1 }, entity_expansion: { expanded_count: 0 } },
    },
    {
      fact: 'five entities are followed to five memories each',
      ask: 'tags=team&expand_entities=1&expansion_limit=100',
      shows: {
        count: 26,
        entity_expansion: { expanded_count: 25, entities_found: team.map((number) => `member ${number}`) },
      },
    },
    {
      fact: 'both expansions share one limit',
      ask: 'tags=team&expand_entities=1&expand_relations=1&expansion_limit=3',
      shows: {
        count: 4,
        expansion: { expanded_count: 0, expansion_limit: 3 },
        entity_expansion: { expanded_count: 3 },
      },
    },
  ],
};
