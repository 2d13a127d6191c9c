/** Rows on the parts of a single result, and on every way in which one is found. */
import { above, absent, aNumber, aText, below, counting, near } from './pattern.js';
import type { Table } from './row.js';

const HARBOUR = 'tags=harbour&adaptive_floor=no';

/** Derived ones apart. */
const isWithoutWritten = (relations: unknown): boolean =>
  Array.isArray(relations) &&
  relations.every((each: { type?: unknown }) => each.type === 'PRECEDED_BY' || each.type === 'SIMILAR_TO');

export const results: Table = {
  subject: 'parts of a result',
  scope: 'harbour',
  rows: [
    {
      fact: 'a result has an id, its score by two names, and what found it',
      ask: `${HARBOUR}&query=red+bridge&limit=1`,
      shows: {
        results: [
          {
            id: '{bridge}',
            score: aNumber,
            final_score: aNumber,
            original_score: aNumber,
            _query: 'red bridge',
            match_score: aNumber,
            match_type: 'semantic',
            source: 'qdrant',
            related_to: absent,
            relation_score: absent,
            expanded_from_entity: absent,
            deduped_from: absent,
            state_replaces: absent,
            outside_tag_scope: absent,
            explain: absent,
          },
        ],
      },
    },
    {
      fact: 'memory is the whole record, its id and its time by two names',
      ask: `${HARBOUR}&query=red+bridge&limit=1`,
      shows: {
        results: [
          {
            memory: {
              id: '{bridge}',
              memory_id: '{bridge}',
              content: 'The harbour bridge was painted red in May',
              type: 'Decision',
              confidence: 0.8,
              importance: 0.9,
              tags: ['harbour', 'paint', 'entity:people:bea'],
              tag_prefixes: counting(5),
              metadata: { tool: 'sprayer', note: 'red bridge' },
              timestamp: '2021-05-01T10:00:00+00:00',
              created_at: '2021-05-01T10:00:00+00:00',
              updated_at: aText,
              last_accessed: aText,
              t_valid: aText,
            },
          },
        ],
      },
    },
    {
      fact: 'relations are the outgoing associations, what callers wrote before what was derived, newest first, with what they say',
      ask: `${HARBOUR}&query=red+bridge&limit=1`,
      shows: {
        results: [
          {
            relations: [
              {
                type: 'PREFERS_OVER',
                direction: 'outgoing',
                strength: 0.9,
                created_at: aText,
                updated_at: aText,
                properties: { reason: 'cheaper' },
                memory: { id: '{shop}', type: 'Context', summary: 'Colours come from Meyer', importance: 0.8 },
              },
              { type: 'RELATES_TO', direction: 'outgoing', strength: 0.3, memory: { id: '{walk}' } },
            ],
          },
        ],
      },
    },
    {
      fact: 'relations do not show what leads to a result',
      ask: 'tags=harbour&query=colours+come+from+Meyer&limit=1',
      shows: { results: [{ id: '{shop}', relations: isWithoutWritten }] },
    },
    {
      fact: 'score_components names every part of the score',
      ask: `${HARBOUR}&query=red+bridge+painted+in+May&limit=2`,
      shows: {
        results: {
          0: {
            id: '{bridge}',
            score_components: {
              vector: above(0.3),
              keyword: above(0.5),
              metadata: 0,
              relation: 0,
              tag: near(0.5),
              importance: 0.9,
              confidence: 0.8,
              recency: 0,
              exact: 0,
              relevance: aNumber,
              context: 0,
              evidence: above(0.5),
              relevance_gated: false,
              neighbours: aNumber,
              session: aNumber,
              subject: 0,
              date: 1,
              question: 0,
              substance: aNumber,
              temporal: absent,
              search_weight: absent,
              entity_expansion: absent,
              succession: absent,
            },
          },
          1: { id: '{gate}', score_components: { question: 1 } },
        },
      },
    },
    {
      fact: 'exact is 1 where a value of the metadata is the whole query',
      ask: `${HARBOUR}&query=Red+Bridge&limit=1`,
      shows: { results: [{ score_components: { exact: 1 } }] },
    },
    {
      fact: 'subject is 1 for what the one person says who is named, date for what is from the month that is named',
      ask: 'tags=keeper&query=what+did+Anna+say+in+March+2022&limit=1',
      shows: { results: [{ score_components: { subject: above(0), date: above(0) } }] },
    },
    {
      fact: 'temporal is 1 for the newest of the results',
      ask: 'tags=keeper&query=lighthouse&recency_bias=on',
      shows: {
        results: { 0: { id: '{denial}', score_components: { temporal: 1 } }, 1: { score_components: { temporal: 0 } } },
      },
    },
    {
      fact: 'succession is what a newer statement takes over from the one that it contradicts',
      ask: 'tags=keeper&query=the+lighthouse+keeper+retires',
      finds: ['denial', 'claim'],
      shows: { results: { 0: { score_components: { succession: above(0) } } } },
    },
    {
      fact: 'succession has no part in an order by time',
      ask: 'tags=keeper&query=the+lighthouse+keeper+retires&sort=time_asc',
      finds: ['claim', 'denial'],
    },
    {
      fact: 'in history what a memory evolved into comes before it',
      ask: 'tags=ferry&query=ferry+leaves+at+nine&state_mode=history',
      shows: { results: { 0: { id: '{fresh}', score_components: { succession: above(0) } }, 1: { id: '{stale}' } } },
    },
    {
      fact: 'search_weight is what the matches of a query count beside those of others',
      ask: 'tags=keeper&queries=lighthouse+keeper+retires,keeper&sort=time_asc&per_query_limit=1',
      shows: { results: { 0: { _query: 'lighthouse keeper retires', score_components: { search_weight: absent } } } },
    },
    {
      fact: 'search_weight is below 1 for a query that tells less apart',
      ask: `${HARBOUR}&queries=lighthouse+keeper+retires,painted&per_query_limit=1`,
      shows: { results: { 1: { score_components: { search_weight: below(1) } } } },
    },
    {
      fact: 'deduped_from names all memories that became one result',
      ask: 'tags=ropes',
      finds: ['ropes'],
      shows: { results: [{ deduped_from: counting(2) }] },
    },
    {
      fact: 'what associations led to says which they were',
      ask: `${HARBOUR}&query=red+bridge&limit=1&expand=1&relation_limit=1`,
      shows: {
        results: {
          1: {
            id: '{shop}',
            match_type: 'relation',
            source: 'graph',
            relation_score: near(0.81),
            score_components: { relation: near(0.81) },
            original_score: absent,
            _query: absent,
            relations: [{ type: 'PREFERS_OVER', strength: 0.9, from: '{bridge}', seed_rank: 0, seed_score: aNumber }],
            related_to: [{ type: 'PREFERS_OVER', strength: 0.9, from: '{bridge}', seed_rank: 0, seed_score: aNumber }],
          },
        },
      },
    },
    {
      fact: 'what an entity led to says which it was',
      ask: `${HARBOUR}&query=red+bridge&limit=1&expand_entities=1`,
      shows: {
        results: {
          1: {
            id: '{walk}',
            match_type: 'entity',
            source: 'graph',
            expanded_from_entity: 'bea',
            score_components: { entity_expansion: 0.15 },
            original_score: absent,
            _query: absent,
          },
        },
      },
    },
    {
      fact: 'what stands in for another says for which',
      ask: 'tags=ferry&query=ferry+leaves+at+nine',
      shows: {
        results: [
          {
            id: '{fresh}',
            match_type: 'replacement',
            source: 'graph',
            state_replaces: '{stale}',
            relations: [{ type: 'EVOLVED_INTO', strength: 0.8, from: '{stale}' }],
            original_score: absent,
            _query: absent,
          },
        ],
      },
    },
    {
      fact: 'what fills an answer from outside the tags is marked',
      ask: 'tags=ropes&query=two+ropes&scope_fallback=on&limit=2',
      shows: { results: { 0: { outside_tag_scope: absent }, 1: { outside_tag_scope: true } } },
    },
    {
      fact: 'a list is trending, each with its importance for a match',
      ask: 'start=2021-05-01&end=2021-05-01T10:01:00Z',
      shows: { results: [{ id: '{bridge}', match_type: 'trending', match_score: 0.9, source: 'graph' }] },
    },
    {
      fact: 'a list by tags says that it is one',
      ask: 'tags=paint',
      shows: { results: [{ id: '{bridge}', match_type: 'tag', match_score: 0.9, source: 'graph' }] },
    },
    {
      fact: 'what words alone found says so',
      without: 'vectors',
      ask: 'tags=keeper&query=retires',
      shows: { results: { 0: { match_type: 'keyword', source: 'graph' } } },
    },
    {
      fact: 'what metadata alone found says so',
      without: 'vectors',
      ask: 'tags=harbour&query=tool+sprayer',
      shows: { results: [{ id: '{bridge}', match_type: 'metadata', score_components: { metadata: 1, keyword: 0 } }] },
    },
    {
      fact: 'what the caller alone named says so',
      without: 'vectors',
      ask: 'tags=harbour&query=lighthouse&priority_ids={shop}',
      shows: {
        results: { 0: { id: '{shop}', match_type: 'priority', match_score: 0, score_components: { context: 0.9 } } },
      },
    },
  ],
};
