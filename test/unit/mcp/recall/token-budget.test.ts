/** An answer stays within its budget for any memories, counting text and structured content together. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { FoundMemory } from '../../../../deploy/mcp/recall/found.js';
import { type Format, FORMATS } from '../../../../deploy/mcp/recall/plan-recall.js';
import { presentFound } from '../../../../deploy/mcp/recall/present-found.js';
import { estimateTokens } from '../../../../deploy/mcp/recall/token-budget.js';
import type { ToolAnswer } from '../../../../deploy/mcp/tool.js';
import { foundMemory, idOf, ranked } from './found-memories.js';

const DEFAULT_BUDGET = 18_000;
/** Shrinking cases of this size would take minutes; the seed reproduces a failure. */
const RUNS = { numRuns: 60, seed: 7, endOnFailure: true };

type Truncated = {
  readonly count: number;
  readonly results: readonly { readonly memory_id: string }[];
  readonly truncation?: { readonly omitted_results: number };
};

function tokensIn({ text, structured }: ToolAnswer): number {
  return estimateTokens(text.join('').length + JSON.stringify(structured).length);
}

/** Every part varies from empty to more than the budget. Line ends and quotes take more space in JSON. */
const size = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 600 }) },
  { weight: 1, arbitrary: fc.integer({ min: 2_000, max: 60_000 }) },
);
const words = fc
  .tuple(size, fc.constantFrom('word ', '"quoted" ', 'line\n', '漢字'))
  .map(([length, word]) => word.repeat(Math.ceil(length / word.length)).slice(0, length));
const anyMemory = fc.record({
  content: words,
  summary: fc.option(words, { nil: undefined }),
  tags: fc.array(fc.string({ minLength: 1, maxLength: 256 }), { maxLength: 100, size: 'max' }),
  note: words,
  relations: fc.nat({ max: 12 }),
});
const anyMemories = fc.array(anyMemory, { minLength: 1, maxLength: 40 }).map((drawn) =>
  drawn.map(({ content, summary, tags, note, relations }, index): FoundMemory =>
    foundMemory(index + 1, {
      memory: {
        content,
        tags,
        metadata: { note, [note.slice(0, 900)]: true },
        ...(summary === undefined ? {} : { summary }),
      },
      relations: Array.from({ length: relations }, (_, number) => ({
        type: 'RELATES_TO',
        strength: 0.5,
        memory: { id: idOf(number), content: note.slice(0, 160) },
      })),
    }),
  ),
);

describe('recall token budget', () => {
  for (const format of FORMATS) {
    it(`limits the whole answer and keeps the best results (${format})`, () => {
      fc.assert(
        fc.property(
          anyMemories,
          fc.integer({ min: 1, max: DEFAULT_BUDGET }),
          fc.boolean(),
          (memories, tokenBudget, isPage) => {
            const found = isPage
              ? { mode: 'enumeration' as const, memories, about: { limit: 200, offset: 0, has_more: false } }
              : ranked(memories);
            const answer = presentFound(found, { format, tokenBudget, notes: [] });
            const { count, results, truncation } = answer.structured as Truncated;
            expect(
              results.length === 1 || tokensIn(answer) <= tokenBudget,
              `${tokensIn(answer)} tokens for ${results.length} results`,
            ).to.equal(true);
            expect(results.map(({ memory_id: id }) => id)).to.deep.equal(memories.slice(0, count).map(({ id }) => id))
              .and.not.be.empty;
            expect(truncation?.omitted_results ?? 0).to.equal(memories.length - count);
            if (isPage) expect(answer.structured).to.have.property('has_more', count < memories.length);
          },
        ),
        RUNS,
      );
    });

    it(`holds for any single memory with the default budget (${format})`, () => {
      fc.assert(
        fc.property(anyMemories, (memories) => {
          expect(
            tokensIn(presentFound(ranked(memories.slice(0, 1)), { format, tokenBudget: DEFAULT_BUDGET, notes: [] })),
          ).to.be.at.most(DEFAULT_BUDGET);
        }),
        RUNS,
      );
    });
  }

  const giant = foundMemory(1, {
    memory: {
      content: 'giant '.repeat(20_000),
      tags: Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(256, 't')),
      metadata: { note: 'n'.repeat(60_000) },
    },
  });

  function present(format: Format, memories: readonly FoundMemory[]): ToolAnswer {
    return presentFound(ranked(memories), { format, tokenBudget: DEFAULT_BUDGET, notes: [] });
  }

  for (const format of FORMATS) {
    it(`shortens a memory that alone exceeds it (${format})`, () => {
      const { text, structured } = present(format, [giant, foundMemory(2)]);
      expect(structured).to.have.property('count', 2);
      if (format !== 'items') expect(structured).to.have.nested.property('results[0].shortened', true);
      expect(structured).to.have.nested.property('results[0].content').with.length(401);
      expect(text.at(-1)).to.match(/long memories are cut here: memory_id fetches one whole\]$/u);
    });
  }

  it('reports the number of omitted results and what to do', () => {
    const { text, structured } = present(
      'json',
      Array.from({ length: 40 }, (_, index) => foundMemory(index + 1, { memory: { content: 'x'.repeat(1_900) } })),
    );
    const { count, truncation } = structured as Truncated;
    expect(truncation).to.deep.equal({ applied: true, omitted_results: 40 - count, reason: 'response_token_budget' });
    expect(text.at(-1)).to.equal(
      `[${40 - count} of them left out to stay within about 18000 tokens: narrow the query, or ask for format text]`,
    );
  });

  it('names the next offset when it cuts a page', () => {
    const memories = Array.from({ length: 200 }, (_, index) =>
      foundMemory(index + 1, { memory: { content: 'x'.repeat(390) } }),
    );
    const page = { mode: 'enumeration' as const, memories, about: { limit: 200, offset: 600, has_more: false } };
    const { text, structured } = presentFound(page, { format: 'text', tokenBudget: DEFAULT_BUDGET, notes: [] });
    const { count } = structured as Truncated;
    expect(count).to.be.within(20, 60);
    expect(structured).to.include({ has_more: true });
    expect(text[0])
      .to.match(new RegExp(`^Found 200 memories \\(showing ${count}\\)`, 'u'))
      .and.include(`they come with the next page; there are more: call again with offset ${600 + count}]`);
  });
});
