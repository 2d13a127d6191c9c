/** The exact text of a recall for a model, and its structured content. */
import { expect } from 'chai';
import type { FoundMemory } from '../../../../deploy/mcp/recall/found.js';
import type { Format } from '../../../../deploy/mcp/recall/plan-recall.js';
import { presentFound } from '../../../../deploy/mcp/recall/present-found.js';
import { foundMemory, idOf, ranked } from './found-memories.js';

const LONG = 'word '.repeat(100).trim();

const PLAIN = foundMemory(1, { memory: { content: 'One\nand two', tags: ['team', 'db'], importance: 0.75 } });
const RICH = foundMemory(2, {
  match_type: 'entity',
  expanded_from_entity: 'ada',
  deduped_from: [idOf(9)],
  outside_tag_scope: true,
  state_replaces: idOf(8),
  memory: {
    content: LONG,
    summary: 'Words.',
    tags: [],
    metadata: { source: 'chat', turn: 3 },
    updated_at: '2024-03-01T00:00:00+00:00',
    t_invalid: '2025-01-01T00:00:00+00:00',
  },
  relations: [1, 2, 3, 4].map((number) => ({
    type: 'RELATES_TO',
    direction: 'outgoing',
    strength: 0.5,
    memory: { id: idOf(number), content: 'x'.repeat(90 + 5 * number) },
  })),
});

function shown(
  format: Format,
  memories: readonly FoundMemory[],
): { readonly text: readonly string[]; readonly results: readonly Record<string, unknown>[] } {
  const { text, structured } = presentFound(ranked(memories), { format, tokenBudget: 18_000, notes: [] });
  return { text, results: structured?.['results'] as Record<string, unknown>[] };
}

describe('recall formats', () => {
  it('text: prints numbered lines with marks, then id and times', () => {
    expect(shown('text', [PLAIN, RICH]).text).to.deep.equal([
      `\
Found 2 memories:

1. One
   and two [team, db] (importance: 0.75) score=0.790 [semantic]
   ID: ${idOf(1)}
   Created: 2024-01-01T00:00:00+00:00
2. Words. (summary of 499 characters) (importance: 0.5) score=0.780 [entity] relations=4 [via entity: ada] (deduped x1) [outside the tags] [replaces ${idOf(8)}]
   ID: ${idOf(2)}
   Created: 2024-01-01T00:00:00+00:00
   Updated: 2024-03-01T00:00:00+00:00
   Valid: until 2025-01-01T00:00:00+00:00

[long memories are cut here: memory_id fetches one whole]`,
    ]);
  });

  it('detailed: adds type, last access, metadata keys and three relations', () => {
    const [text = ''] = shown('detailed', [RICH]).text;
    expect(text).to.include(`
   Type: Decision (confidence: 0.9)
   Last accessed: 2024-02-01T00:00:00+00:00
   Metadata keys: source, turn
   Relations (showing 3 of 4):
   - RELATES_TO ${idOf(1)} (outgoing, strength 0.5): ${'x'.repeat(95)}
   - RELATES_TO ${idOf(2)} (outgoing, strength 0.5): ${'x'.repeat(100)}
   - RELATES_TO ${idOf(3)} (outgoing, strength 0.5): ${'x'.repeat(100)}…

`);
  });

  it('items: makes a block for each memory and one for the notes', () => {
    expect(shown('items', [PLAIN]).text).to.deep.equal([`[${idOf(1)}] One\nand two`]);
    expect(shown('items', [PLAIN, RICH]).text.slice(1)).to.deep.equal([
      `[${idOf(2)}] Words. (summary of 499 characters)`,
      '[long memories are cut here: memory_id fetches one whole]',
    ]);
  });

  it('json: prints the structured content', () => {
    const { text, structured } = presentFound(ranked([PLAIN, RICH], { dedup_removed: 1 }), {
      format: 'json',
      tokenBudget: 18_000,
      notes: [],
    });
    expect(text).to.have.length(1);
    expect(JSON.parse(text[0] ?? '')).to.deep.equal(structured);
  });

  it('show short content whole, longer content by its summary or beginning', () => {
    const of = (memory: object): unknown => shown('text', [foundMemory(1, { memory })]).results[0];
    expect(of({ content: 'x'.repeat(400), summary: 'short' }))
      .to.include({ content: 'x'.repeat(400) })
      .and.not.have.any.keys('summary', 'content_chars');
    expect(of({ content: LONG, summary: ' Words. ' }))
      .to.include({ summary: 'Words.', content_chars: 499 })
      .and.not.have.any.keys('content', 'content_truncated');
    expect(of({ content: LONG, summary: ' ' })).to.include({
      content: `${LONG.slice(0, 400)}…`,
      content_truncated: true,
      content_chars: 499,
    });
    expect(of({ content: `${'x'.repeat(399)}😀` })).to.include({ content: `${'x'.repeat(399)}…` });
  });

  it('leave details out of brief results', () => {
    expect(shown('text', [PLAIN]).results).to.deep.equal([
      {
        memory_id: idOf(1),
        content: 'One\nand two',
        tags: ['team', 'db'],
        importance: 0.75,
        final_score: 0.79,
        match_type: 'semantic',
        created_at: '2024-01-01T00:00:00+00:00',
        updated_at: '2024-01-01T00:00:00+00:00',
      },
    ]);
  });

  it('show the start of validity only if it differs from the creation time', () => {
    const of = (validFrom: string): string =>
      shown('text', [foundMemory(1, { memory: { t_valid: validFrom } })]).text.join('');
    expect(of('2024-01-01T00:00:00+00:00')).to.not.include('Valid');
    expect(of('2024-05-01T00:00:00+00:00')).to.include('   Valid: from 2024-05-01T00:00:00+00:00');
  });

  it('name the metadata keys and count the relations in detailed', () => {
    const [result] = shown('detailed', [RICH]).results;
    expect(result).to.deep.include({
      type: 'Decision',
      confidence: 0.9,
      metadata_keys: ['source', 'turn'],
      relations_total: 4,
      deduped_from: [idOf(9)],
      expanded_from_entity: 'ada',
    });
    expect(result?.['relations']).to.have.length(3);
  });

  it('keep every field in json, without duplicates', () => {
    const scored = foundMemory(1, {
      score: 0.7,
      match_score: 0.4,
      source: 'qdrant',
      score_components: { vector: 0.4 },
      _query: 'x',
      memory: { content: LONG, summary: 'Words.', metadata: { a: 1 }, tag_prefixes: ['team'] },
    });
    const [result] = shown('json', [scored]).results;
    expect(result).to.deep.include({
      content: LONG,
      summary: 'Words.',
      match_score: 0.4,
      source: 'qdrant',
      score_components: { vector: 0.4 },
      metadata: { a: 1 },
      relations: [],
      type: 'Decision',
    });
    expect(result).to.not.have.any.keys('id', 'memory', 'score', '_query', 'timestamp', 'tag_prefixes');
  });

  it('keep the match probability out of the text', () => {
    const probable = foundMemory(1, { match_probability: 0.123456 });
    for (const format of ['text', 'items', 'detailed'] as const) {
      const { text, results } = shown(format, [probable]);
      expect(results[0]).to.include({ match_probability: 0.123456 });
      expect(text).to.deep.equal(shown(format, [foundMemory(1)]).text);
    }
    expect(shown('json', [probable]).results[0]).to.include({ match_probability: 0.123456 });
  });

  it('show the memory from which a result was reached', () => {
    const reached = foundMemory(1, {
      match_type: 'relation',
      relations: [{ type: 'LEADS_TO', strength: 0.8, from: idOf(5), seed_rank: 1 }],
    });
    expect(shown('detailed', [reached]).text[0]).to.include(`\n   - LEADS_TO ${idOf(5)} (strength 0.8)`);
  });

  for (const format of ['text', 'items', 'detailed', 'json'] as const) {
    it(`never cut a memory fetched by its id (${format})`, () => {
      const memory = foundMemory(1, {
        match_type: 'direct',
        final_score: 1,
        memory: { content: 'long '.repeat(20_000), summary: 'Short.', metadata: { note: 'y'.repeat(50_000) } },
      });
      const { text, structured } = presentFound(
        { mode: 'id_fetch', memories: [memory], about: {} },
        { format, tokenBudget: 1_000, notes: [] },
      );
      expect(text.join('\n')).to.include('long '.repeat(20_000).trim());
      if (format !== 'items') expect(text.join('\n')).to.include('y'.repeat(50_000));
      expect(structured).to.have.nested.property('results[0].content', 'long '.repeat(20_000));
      expect(structured).to.have.nested.property('results[0].metadata.note').with.length(50_000);
      expect(structured).to.deep.include({ mode: 'id_fetch', count: 1 }).and.not.have.property('truncation');
    });
  }
});
