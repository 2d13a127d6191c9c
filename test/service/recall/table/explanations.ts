/** Rows on the fields that `explain` adds: the evidence of a result, and the stage at which another memory was cut. */
import { above, absent, aNumber, holding, near } from './pattern.js';
import type { Table } from './row.js';

const KEEPER = 'tags=keeper&query=lighthouse+keeper';
const UNKNOWN_ID = '00000000-0000-4000-8000-00000000dead';

export const explanations: Table = {
  subject: 'recall with explain',
  scope: 'harbour',
  rows: [
    {
      fact: 'shows the evidence, terms and points of a result',
      ask: `${KEEPER}&explain=true&limit=1&sort=time_asc`,
      shows: {
        results: [
          {
            id: '{claim}',
            explain: {
              evidence: [
                { source: 'vector', pass: 'current', rank: aNumber, similarity: aNumber },
                { source: 'keyword', pass: 'current', rank: 1 },
              ],
              terms: {
                content: holding('keeper'),
                tags: ['keeper'],
                missing: [],
                phrase: 'content',
                words: { tags: ['keeper'], metadata: [] },
              },
              features: {
                similarity: aNumber,
                words: 1,
                standing: aNumber,
                lexical: 1,
                neighbours: 1,
                session: 1,
                subject: aNumber,
                date: 0,
                role: 0,
                question: 0,
                verbosity: 0,
              },
              points: { vector: aNumber, keyword: above(0.3), importance: near(0.09) },
              match: {
                probability: above(0),
                known_terms: 1,
                candidates: 2,
                sessions: true,
                points: above(0.35),
              },
              found_in: absent,
              gate: absent,
            },
          },
        ],
        explain: absent,
      },
    },
    {
      fact: 'names the memory whose evidence found a replacement',
      ask: 'tags=ferry&query=ferry&explain=1',
      shows: {
        results: [
          {
            explain: {
              found_in: {
                id: '{stale}',
                evidence: [{ source: 'vector', pass: 'current', rank: 1, similarity: aNumber }, { source: 'keyword' }],
                type: 'EVOLVED_INTO',
                strength: 0.8,
                share: near(0.855),
              },
            },
          },
        ],
      },
    },
    {
      fact: 'shows a position and no cut for a result',
      ask: 'tags=paint&explain={bridge}',
      shows: { explain: { memory_id: '{bridge}', position: 1, cut: null, evidence: { points: { keyword: aNumber } } } },
    },
    {
      fact: 'reports a missing memory as absent',
      ask: `${KEEPER}&explain=${UNKNOWN_ID}`,
      shows: { explain: { memory_id: UNKNOWN_ID, position: null, cut: { at: 'absent' }, evidence: null } },
    },
    {
      fact: 'names the filter rules that cut a memory',
      ask: `${KEEPER}&exclude_tags=har&start=2024-01-01&explain={shop}`,
      shows: { explain: { position: null, cut: { at: 'filter', rules: ['time_window', 'tags', 'exclude_tags'] } } },
    },
    {
      fact: 'names the reason and the successor of a state cut',
      ask: 'tags=ferry&query=ferry&explain={stale}',
      shows: {
        explain: { cut: { at: 'state', reason: 'superseded', successor: '{fresh}', relation_type: 'EVOLVED_INTO' } },
      },
    },
    {
      fact: 'names the result that a duplicate was merged into',
      ask: 'tags=ropes&explain={again}',
      shows: { explain: { cut: { at: 'duplicate', of: '{ropes}' } } },
    },
    {
      fact: 'names the result that represents the source of a memory',
      ask: 'tags=keeper&query=lighthouse+keeper+retires&distinct_by=chapter&explain={denial}',
      shows: { explain: { position: null, cut: { at: 'source', of: '{claim}' } } },
    },
    {
      fact: 'shows the position and the needed score at the limit',
      ask: 'tags=harbour&limit=1&explain={shop}',
      shows: { explain: { cut: { at: 'limit', position: aNumber, limit: 1, score: aNumber, needed: aNumber } } },
    },
    {
      fact: 'shows the score and the needed score at min_score',
      ask: 'tags=keeper&query=garden&min_score=1&explain={denial}',
      shows: { explain: { cut: { at: 'min_score', score: aNumber, needed: 1 } } },
    },
    {
      fact: 'shows the probability and the needed one at min_probability',
      ask: 'tags=keeper&query=garden&min_probability=1&explain={denial}',
      shows: { explain: { cut: { at: 'min_probability', score: aNumber, probability: aNumber, needed: 1 } } },
    },
    {
      fact: 'shows the counts of the sources that missed a memory',
      ask: 'tags=harbour&limit=1&explain={walk}',
      shows: { explain: { cut: { at: 'retrieval', found: { tag: aNumber } }, evidence: { evidence: [] } } },
    },
    {
      fact: 'reports a cut by the token budget',
      ask: 'tags=keeper&max_tokens=1&explain={claim}',
      shows: { explain: { cut: { at: 'after_selection', score: aNumber } } },
    },
    {
      fact: 'has no explain fields by default',
      ask: ['explain=false', 'explain=0', 'explain='].map((ask) => `${KEEPER}&${ask}`),
      sameAs: KEEPER,
      shows: { explain: absent, results: { 0: { explain: absent } } },
    },
    {
      fact: 'rejects a value that is not true, false or an id',
      ask: ['maybe', '123', `${UNKNOWN_ID}0`, 'null'].map((explain) => `explain=${explain}`),
      rejects: "'explain' must be true, false or the id of a memory",
    },
  ],
};
