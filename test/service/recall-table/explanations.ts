/** Rows on what `explain` adds: the evidence of a result, and where a memory was left behind. */
import { absent, aNumber, holding, near } from './pattern.js';
import type { Table } from './row.js';

const KEEPER = 'tags=keeper&query=lighthouse+keeper';
const NOBODY = '00000000-0000-4000-8000-00000000dead';

export const explanations: Table = {
  subject: 'explanations',
  scope: 'harbour',
  rows: [
    {
      fact: 'a result shows the evidence of every source, its terms and its points',
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
              points: { vector: aNumber, keyword: near(0.35), importance: near(0.09) },
              found_in: absent,
              gate: absent,
            },
          },
        ],
        explain: absent,
      },
    },
    {
      fact: 'a replacement names the memory in which the evidence was found',
      ask: 'tags=ferry&query=ferry&explain=1',
      shows: { results: [{ explain: { found_in: { id: '{stale}', type: 'EVOLVED_INTO', strength: 0.8 } } }] },
    },
    {
      fact: 'a memory among the results has a position and no cut',
      ask: 'tags=paint&explain={bridge}',
      shows: { explain: { memory_id: '{bridge}', position: 1, cut: null, evidence: { points: { keyword: aNumber } } } },
    },
    {
      fact: 'a memory that does not exist is absent',
      ask: `${KEEPER}&explain=${NOBODY}`,
      shows: { explain: { memory_id: NOBODY, position: null, cut: { at: 'absent' }, evidence: null } },
    },
    {
      fact: 'a filter names its rules',
      ask: `${KEEPER}&exclude_tags=har&start=2024-01-01&explain={shop}`,
      shows: { explain: { position: null, cut: { at: 'filter', rules: ['time_window', 'tags', 'exclude_tags'] } } },
    },
    {
      fact: 'a state names its reason and the successor',
      ask: 'tags=ferry&query=ferry&explain={stale}',
      shows: {
        explain: { cut: { at: 'state', reason: 'superseded', successor: '{fresh}', relation_type: 'EVOLVED_INTO' } },
      },
    },
    {
      fact: 'a duplicate names the result that stands for it',
      ask: 'tags=ropes&explain={again}',
      shows: { explain: { cut: { at: 'duplicate', of: '{ropes}' } } },
    },
    {
      fact: 'a limit tells the position and the score that was needed',
      ask: 'tags=harbour&limit=1&explain={shop}',
      shows: { explain: { cut: { at: 'limit', position: aNumber, limit: 1, score: aNumber, needed: aNumber } } },
    },
    {
      fact: 'a smallest score tells what it had and what it needed',
      ask: `${KEEPER}&min_score=1&explain={denial}`,
      shows: { explain: { cut: { at: 'min_score', score: aNumber, needed: 1 } } },
    },
    {
      fact: 'what no source listed tells how much each of them found',
      ask: 'tags=harbour&limit=1&explain={walk}',
      shows: { explain: { cut: { at: 'retrieval', found: { tag: aNumber } }, evidence: { evidence: [] } } },
    },
    {
      fact: 'a budget leaves it behind after the selection',
      ask: 'tags=keeper&max_tokens=1&explain={claim}',
      shows: { explain: { cut: { at: 'after_selection', score: aNumber } } },
    },
    {
      fact: 'explain is off unless it is asked for',
      ask: ['explain=false', 'explain=0', 'explain='].map((ask) => `${KEEPER}&${ask}`),
      sameAs: KEEPER,
      shows: { explain: absent, results: { 0: { explain: absent } } },
    },
    {
      fact: 'explain is true, false or an id',
      ask: ['maybe', '123', `${NOBODY}0`, 'null'].map((explain) => `explain=${explain}`),
      refuses: "'explain' must be true, false or the id of a memory",
    },
  ],
};
