/** Rows on the fields of a single result, for each way in which a result is found. */
import { above, absent, aNumber, aText, counting, near } from './pattern.js';
import type { Table } from './row.js';

const HARBOUR = 'tags=harbour&adaptive_floor=no';
/** Both spellings of history mode. */
const HISTORY = ['state_mode=history', 'current_only=false'];

/** Matches relations without the derived ones. */
const isWithoutWritten = (relations: unknown): boolean =>
  Array.isArray(relations) &&
  relations.every((each: { type?: unknown }) => each.type === 'PRECEDED_BY' || each.type === 'SIMILAR_TO');

export const results: Table = {
  subject: 'recall result',
  scope: 'harbour',
  rows: [
    {
      fact: 'has an id, a score under two names, and its match type',
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
            match_probability: above(0),
            match_type: 'semantic',
            source: 'qdrant',
            related_to: absent,
            relation_score: absent,
            expanded_from_entity: absent,
            deduped_from: absent,
            source_pieces: absent,
            state_replaces: absent,
            outside_tag_scope: absent,
            explain: absent,
          },
        ],
      },
    },
    {
      fact: 'has the whole memory, with id and time under two names',
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
      fact: 'has outgoing relations: written before derived, newest first',
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
      fact: 'has no incoming associations in relations',
      ask: 'tags=harbour&query=colours+come+from+Meyer&limit=1',
      shows: { results: [{ id: '{shop}', relations: isWithoutWritten }] },
    },
    {
      fact: 'has all parts of the score in score_components',
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
              temporal: absent,
              entity_expansion: absent,
            },
          },
          1: { id: '{gate}' },
        },
      },
    },
    {
      fact: 'has exact 1 if a metadata value equals the query',
      ask: `${HARBOUR}&query=Red+Bridge&limit=1`,
      shows: { results: [{ score_components: { exact: 1 } }] },
    },
    {
      fact: 'has subject for a named speaker and date for a named month',
      ask: 'tags=keeper&query=what+did+Anna+say+in+March+2022&limit=1&explain=true',
      shows: { results: [{ explain: { features: { subject: 1, date: 1 } } }] },
    },
    {
      fact: 'has temporal 1 for the newest result',
      ask: 'tags=keeper&query=lighthouse&recency_bias=on',
      shows: {
        results: { 0: { id: '{denial}', score_components: { temporal: 1 } }, 1: { score_components: { temporal: 0 } } },
      },
    },
    {
      fact: 'ranks a statement before an older one that it contradicts',
      ask: 'tags=keeper&query=the+lighthouse+keeper+retires',
      finds: ['denial', 'claim'],
    },
    {
      fact: 'ranks contradicting memories by time in time order',
      ask: 'tags=keeper&query=the+lighthouse+keeper+retires&sort=time_asc',
      finds: ['claim', 'denial'],
    },
    {
      fact: 'ranks contradicting memories by their own scores in history mode',
      ask: HISTORY.map((mode) => `tags=keeper&query=the+lighthouse+keeper+retires&${mode}`),
      finds: ['claim', 'denial'],
    },
    {
      fact: 'ranks a memory by its own score above its successor in history mode',
      ask: HISTORY.map((mode) => `tags=ferry&query=ferry+leaves+at+nine&${mode}`),
      shows: { results: { 0: { id: '{stale}' } } },
    },
    {
      fact: 'names the query with the best match',
      ask: 'tags=keeper&queries=lighthouse+keeper+retires,zebra&sort=time_asc&per_query_limit=1',
      shows: { results: { 0: { _query: 'lighthouse keeper retires' } } },
    },
    {
      fact: 'names all merged memories in deduped_from',
      ask: 'tags=ropes',
      finds: ['ropes'],
      shows: { results: [{ deduped_from: counting(2) }] },
    },
    {
      fact: 'names the other pieces of its source in source_pieces',
      ask: 'tags=keeper&query=lighthouse+keeper+retires&distinct_by=chapter',
      finds: ['claim'],
      shows: { results: [{ source_pieces: ['{denial}'] }] },
    },
    {
      fact: 'names the associations that led to it',
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
      fact: 'names the entity that led to it',
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
      fact: 'names the memory that it replaces',
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
      fact: 'is marked if it comes from outside the tags',
      ask: 'tags=ropes&query=two+ropes&scope_fallback=on&limit=2',
      shows: { results: { 0: { outside_tag_scope: absent }, 1: { outside_tag_scope: true } } },
    },
    {
      fact: 'is trending in a listing, with importance as match score',
      ask: 'start=2021-05-01&end=2021-05-01T10:01:00Z',
      shows: { results: [{ id: '{bridge}', match_type: 'trending', match_score: 0.9, source: 'graph' }] },
    },
    {
      fact: 'has the match type tag in a listing by tags',
      ask: 'tags=paint',
      shows: { results: [{ id: '{bridge}', match_type: 'tag', match_score: 0.9, source: 'graph' }] },
    },
    {
      fact: 'has the match type keyword if only words found it',
      without: 'vectors',
      ask: 'tags=keeper&query=retires',
      shows: { results: { 0: { match_type: 'keyword', source: 'graph' } } },
    },
    {
      fact: 'has the match type metadata if only metadata found it',
      without: 'vectors',
      ask: 'tags=harbour&query=tool+sprayer',
      shows: { results: [{ id: '{bridge}', match_type: 'metadata', score_components: { metadata: 1, keyword: 0 } }] },
    },
    {
      fact: 'has the match type priority if only priority_ids named it',
      without: 'vectors',
      ask: 'tags=harbour&query=lighthouse&priority_ids={shop}',
      shows: {
        results: { 0: { id: '{shop}', match_type: 'priority', match_score: 0, score_components: { context: 0.9 } } },
      },
    },
  ],
};
