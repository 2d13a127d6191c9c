/** The notes on an answer as a whole, before and after its results. */
import { expect } from 'chai';
import type { Found } from '../../../../deploy/mcp/recall/found.js';
import { presentFound } from '../../../../deploy/mcp/recall/present-found.js';
import { foundMemory, idOf, ranked } from './found-memories.js';

type About = Found['about'];

function textOf(found: Found, notes: readonly string[] = []): string {
  return presentFound(found, { format: 'text', tokenBudget: 18_000, notes }).text.join('\n');
}

const SAID: readonly (readonly [about: About, note: string])[] = [
  [{ dedup_removed: 3 }, '3 removed as duplicates'],
  [{ entity_expansion: { expanded_count: 2, entities_found: ['Ada', 'Ben'] } }, '2 via entity expansion: Ada, Ben'],
  [
    { entity_expansion: { expanded_count: 6, entities_found: ['A', 'B', 'C', 'D', 'E', 'F'] } },
    '6 via entity expansion: A, B, C, D, E and others',
  ],
  [{ expansion: { expanded_count: 4 } }, '4 via relation expansion'],
  [{ scope_fallback: true }, 'scope fallback: too few in the tags, filled from outside them'],
  [
    { state_filter: { suppressed_count: 2, replacement_count: 1 } },
    'state filter: 2 no longer current left out, 1 put in for what they replace',
  ],
  [{ score_filter: { filtered_count: 7 } }, '7 removed by the score filter'],
  [{ time_window: { start: '2024-01-01', end: '2024-02-01' } }, 'time window: from 2024-01-01 until 2024-02-01'],
  [{ time_window: { end: '2024-02-01' } }, 'time window: until 2024-02-01'],
  [{ recency_bias: 'on' }, 'newer ones ranked higher'],
  [
    { degraded: [{ source: 'vectors', reason: 'refused' }] },
    'degraded, memories may be missing: vectors did not answer (refused)',
  ],
  [{ consistency: { position: 9, index: true, graph: true } }, 'shows position 9'],
  [
    { consistency: { position: 9, index: false, graph: true } },
    'does not surely show position 9: the vector index had not come to it',
  ],
  [
    { consistency: { position: 9, index: false, graph: false } },
    'does not surely show position 9: the graph and the vector index had not come to it',
  ],
];

describe('recall notes', () => {
  for (const [about, note] of SAID) {
    it(`include "${note.slice(0, 60)}"`, () => {
      expect(textOf(ranked([foundMemory(1)], about)).split('\n')[0]).to.equal(`Found 1 memories (${note}):`);
      expect(textOf(ranked([], about))).to.equal(`No memories found matching your query. (${note})`);
      expect(
        presentFound(ranked([foundMemory(1)], about), { format: 'items', tokenBudget: 18_000, notes: [] }).text.at(-1),
      ).to.equal(`[${note}]`);
    });
  }

  it('say that nothing fits only above results', () => {
    const about: About = { nothing_fits: true };
    expect(textOf(ranked([foundMemory(1)], about)).split('\n')[0]).to.equal(
      'Found 1 memories (nothing fits: none of these is likely to answer the query):',
    );
    expect(textOf(ranked([], about))).to.equal('No memories found matching your query.');
  });

  it('are absent for an ordinary answer', () => {
    const about: About = {
      dedup_removed: 0,
      state_filter: { suppressed_count: 0, replacement_count: 0 },
      expansion: { expanded_count: 0 },
      nothing_fits: false,
      vector_search: { enabled: true },
    };
    expect(textOf(ranked([foundMemory(1)], about)))
      .to.match(/^Found 1 memories:\n\n1\. Memory 1 /u)
      .and.not.include('[long');
    expect(textOf(ranked([], about))).to.equal('No memories found matching your query.');
  });

  it('keep a fixed order', () => {
    const about: About = { degraded: [{ source: 'vectors', reason: 'down' }], dedup_removed: 1 };
    expect(textOf(ranked([foundMemory(1)], about), ['and more'])).to.match(
      /^Found 1 memories \(1 removed as duplicates; degraded, .*\(down\); and more\):/u,
    );
  });

  it('explain why a memory is, or is not, among the results', () => {
    const explained = (explain: NonNullable<About['explain']>): string => textOf(ranked([foundMemory(1)], { explain }));
    expect(explained({ memory_id: idOf(1), position: 1 })).to.include(`\n\n[memory ${idOf(1)} is result 1]`);
    expect(explained({ memory_id: idOf(2), cut: { at: 'filter', rules: ['tags', 'time_window'] } })).to.include(
      'is not among the results: a filter of the request leaves it out (tags, time_window)]',
    );
    expect(explained({ memory_id: idOf(2), cut: { at: 'source' } })).to.include(
      'is not among the results: a better piece of its source represents it]',
    );
    expect(explained({ memory_id: idOf(2), cut: { at: 'min_probability' } })).to.include(
      'is not among the results: it is too unlikely to answer the query]',
    );
    expect(
      explained({ memory_id: idOf(2), cut: { at: 'state', reason: 'superseded', successor: idOf(3) } }),
    ).to.include(`it is not current (superseded, see ${idOf(3)})]`);
  });

  it('name the number of results that max_tokens left out', () => {
    expect(textOf(ranked([foundMemory(1)], { budget: { max_tokens: 50, omitted: [idOf(2), idOf(3)] } }))).to.include(
      '[max_tokens left out 2 more: raise it to see them]',
    );
  });

  it('name the page of a listing and the next offset', () => {
    const page: Found = {
      mode: 'enumeration',
      memories: [foundMemory(1), foundMemory(2)],
      about: { limit: 2, offset: 4, has_more: true },
    };
    expect(textOf(page))
      .to.match(/^Found 2 memories \(every state, by importance; page: offset 4, limit 2\):/u)
      .and.match(/\[there are more: call again with offset 6\]$/u);
    expect(textOf({ ...page, about: { ...page.about, has_more: false } })).to.not.include('there are more');
  });

  it('report that no memory has the requested id', () => {
    const { text, structured } = presentFound(
      { mode: 'id_fetch', memories: [], about: {} },
      { format: 'json', tokenBudget: 18_000, notes: [] },
    );
    expect(text).to.deep.equal([
      'No memories found matching your query. (there is no memory with this id: it was deleted, or never was)',
    ]);
    expect(structured).to.deep.equal({ mode: 'id_fetch', count: 0, results: [] });
  });

  it('clip long fields that repeat the request', () => {
    const about: About = {
      query: 'x'.repeat(60_000),
      queries: ['y'.repeat(900)],
      state_filter: {
        suppressed_count: 90,
        suppressed: Array.from({ length: 90 }, (_, index) => ({ id: idOf(index) })),
      },
    };
    const { structured } = presentFound(ranked([foundMemory(1)], about), {
      format: 'text',
      tokenBudget: 18_000,
      notes: [],
    });
    expect(structured).to.have.property('query', `${'x'.repeat(256)}…`);
    expect(structured).to.have.nested.property('queries[0]').with.length(257);
    expect(structured).to.have.nested.property('state_filter.suppressed').with.length(20);
    expect(structured).to.have.nested.property('state_filter.suppressed_count', 90);
  });
});
