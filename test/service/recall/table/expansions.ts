/** Rows on the memories that expansion adds along associations and by entities, and on the filters for them. */
import { above, anyOrder, counting, near } from './pattern.js';
import type { Row, Table } from './row.js';

const MILL = 'tags=mill&tag_match=exact&expand_relations=true';
const team = [1, 2, 3, 4, 5, 6];

export const expansions: Table = {
  subject: 'recall expansion',
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
      fact: 'adds new neighbours of both directions, best first',
      ask: `${MILL}&limit=2`,
      finds: ['mill', 'wheel', 'strong', 'both', 'weak'],
      shows: { count: 5 },
    },
    {
      fact: 'sums strength times importance of the seed over all seeds',
      ask: MILL,
      shows: {
        results: {
          3: { id: '{both}', relation_score: near(0.5 * 0.8 + 0.5 * 0.4), score_components: { relation: near(0.6) } },
        },
      },
    },
    {
      fact: 'follows associations of the results for one step',
      ask: `${MILL}&limit=1&relation_limit=200`,
      findsAll: ['mill', 'wheel', 'strong', 'both', 'weak'],
    },
    {
      fact: 'adds equal content once',
      ask: `${MILL}&limit=1&expand_min_importance=0.4&exclude_tags=rye`,
      shows: { results: { 1: { id: '{wheel}', deduped_from: counting(2) } } },
    },
    {
      fact: 'follows the newest associations of each result first',
      ask: `${MILL}&limit=1&relation_limit=3`,
      findsAll: ['mill', 'wheel', 'both'],
    },
    {
      fact: 'does not count weak associations as followed',
      ask: `${MILL}&limit=1&relation_limit=2&expand_min_strength=0.9`,
      finds: ['mill', 'wheel', 'strong'],
    },
    {
      fact: 'applies expand_min_importance only to added memories',
      ask: `${MILL}&expand_min_importance=0.5`,
      finds: ['mill', 'wheel', 'strong', 'both'],
    },
    {
      fact: 'applies exclude_tags to added memories',
      ask: `${MILL}&exclude_tags=rye,sleep`,
      finds: ['mill', 'wheel', 'both'],
    },
    {
      fact: 'applies the window to added memories',
      ask: `${MILL}&end=2020-02-02`,
      findsAll: ['mill', 'wheel', 'strong'],
    },
    { fact: 'applies min_score to added memories', ask: `${MILL}&min_score=0.99`, finds: [] },
    {
      fact: 'applies tags to added memories only with expand_respect_tags',
      ask: 'tags=mill&sort=time_asc&limit=1&expand=1&expand_respect_tags=1',
      shows: { expansion: { respect_tags: true } },
      findsAll: ['mill', 'wheel', 'both'],
    },
    {
      fact: 'adds the successor instead of a lapsed memory',
      ask: 'tags=hub&expand=1',
      findsAll: ['hub', 'present', 'spoke1', 'spoke2'],
      shows: { state_filter: { suppressed_count: 2, replacement_count: 1 } },
    },
    {
      fact: 'shows the path to a successor and the memory that it replaces',
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
      fact: 'applies expand_min_importance to a successor',
      ask: 'tags=hub&expand=1&expand_min_importance=0.55',
      finds: ['hub'],
    },
    {
      fact: 'applies the filters to a successor',
      ask: 'tags=hub&expand=1&exclude_tags=basalt',
      findsAll: ['hub', 'spoke1', 'spoke2'],
    },
    {
      fact: 'adds lapsed memories unchanged in history mode',
      ask: 'tags=hub&expand=1&state_mode=history',
      findsAll: ['hub', 'lapsed', 'former', 'spoke1', 'spoke2'],
    },
    {
      fact: 'scores added memories by the query too',
      ask: `${MILL}&query=baker+sleeps+late&limit=1&adaptive_floor=no`,
      shows: { results: { 1: { id: '{weak}', match_type: 'relation', score_components: { keyword: above(0.9) } } } },
    },
    {
      fact: 'adds memories with a shared entity, with a bonus of 0.15',
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
      fact: 'follows places and organizations in the metadata',
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
      fact: `applies ${String(filter)} to memories found by an entity`,
      ask: `tags=kin&expand_entities=1&${String(filter)}`,
      finds: found as readonly string[],
    })),
    {
      fact: 'follows other entity types after people, places, organizations',
      ask: 'tags=hammer&expand_entities=1',
      finds: ['hammer', 'nails'],
    },
    {
      fact: 'adds no memories for results without entities',
      ask: 'tags=rye&expand_entities=1',
      finds: ['strong'],
      shows: { entity_expansion: { enabled: true, expanded_count: 0, entities_found: [] } },
    },
    {
      fact: 'follows the entities of memories added by associations',
      ask: 'tags=hammer&expand=1&expand_entities=1',
      findsAll: ['hammer', 'fjord', 'fort', 'works', 'nails'],
      shows: { entity_expansion: { entities_found: ['old fort', 'tram works', 'hammer'] } },
    },
    {
      fact: 'leaves fewer places for entities after associations',
      ask: 'tags=hammer&expand=1&expand_entities=1&expansion_limit=1',
      finds: ['hammer', 'fjord'],
      shows: { expansion: { expanded_count: 1 }, entity_expansion: { expanded_count: 0 } },
    },
    {
      fact: 'follows five entities to five memories each',
      ask: 'tags=team&expand_entities=1&expansion_limit=100',
      shows: {
        count: 26,
        entity_expansion: { expanded_count: 25, entities_found: team.map((number) => `member ${number}`) },
      },
    },
    {
      fact: 'shares one limit between associations and entities',
      ask: 'tags=team&expand_entities=1&expand_relations=1&expansion_limit=3',
      shows: {
        count: 4,
        expansion: { expanded_count: 0, expansion_limit: 3 },
        entity_expansion: { expanded_count: 3 },
      },
    },
  ],
};
