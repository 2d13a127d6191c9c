import { expect } from 'chai';
import { queryConfig } from '../../../../../query-api/config.js';
import type { Evidence, HydratedCandidate, ScoredCandidate } from '../../../../../query-api/recall/candidate.js';
import { planRecall } from '../../../../../query-api/recall/plan/plan-recall.js';
import { createCandidateScorer } from '../../../../../query-api/recall/score/score-candidates.js';
import { createSignals } from '../../../../../query-api/recall/score/signals/signals.js';
import { createTermText } from '../../../../../query-api/recall/score/term-text.js';
import type { Memory } from '../../../../../shared/contract/memory.js';
import { candidateOf, memoryOf, NOW, replacedOf } from '../memories.js';

const SHARE = 0.9;
const similar = (similarity: number) => ({ source: 'vector', similarity }) as const;
const old = memoryOf(1, { content: 'We deploy on Fridays', importance: 0.1 });

function scored(candidates: readonly HydratedCandidate[], query: string, environment: Record<string, string> = {}) {
  const { recall: config } = queryConfig(environment);
  const termText = createTermText();
  const score = createCandidateScorer(config.scoring, termText, createSignals(config.scoring, termText));
  return score(candidates, planRecall({ query }, { config, dimension: 4, now: NOW }));
}

/** The successor of `old`, which was found by vector, with the evidence in which the successor was itself found. */
function successor(memory: Memory, ...evidence: readonly Evidence[]): HydratedCandidate {
  return { ...candidateOf(memory, ...evidence), replaces: replacedOf(old, { evidence: [similar(0.8)], share: SHARE }) };
}
/** The candidates of a search that also found the successor itself. */
function foundTwice(memory: Memory, ...evidence: readonly Evidence[]): readonly HydratedCandidate[] {
  return [candidateOf(memory, ...evidence), successor(memory, ...evidence)];
}
const bestOf = (found: readonly ScoredCandidate[], { id }: Memory): number =>
  Math.max(...found.filter(({ memory }) => memory.id === id).map(({ score }) => score));

describe('a successor', () => {
  const onTopic = memoryOf(2, { content: 'We deploy on Tuesdays', importance: 0.9 });
  const offTopic = memoryOf(3, { content: 'Moved to the wiki', importance: 0.9 });
  const unrelated = memoryOf(4, { content: 'Lunch is at noon', importance: 0.9 });
  const query = 'when do we deploy';

  it('keeps its own components that are higher than the share', () => {
    const [found] = scored([successor(onTopic, similar(0.8))], query);
    const [, own] = scored([candidateOf(old, similar(0.8)), candidateOf(onTopic, similar(0.8))], query);
    expect(found?.components.keyword).to.equal(own?.components.keyword);
    expect(found?.components.vector).to.be.above(SHARE * (own?.components.vector ?? 1));
    expect(found?.features).to.include({ similarity: 0.8, words: 1, lexical: 1 });
  });

  it('takes over a share of each component that says whether it answers', () => {
    const [found] = scored([successor(offTopic)], query);
    const [before, own] = scored([candidateOf(old, similar(0.8)), candidateOf(offTopic)], query);
    expect(found?.features).to.include({ similarity: 0, words: 0, lexical: 0 });
    expect(found?.components.importance).to.equal(0.9);
    for (const name of ['vector', 'keyword'] as const) {
      expect(own?.components[name]).to.equal(0);
      expect(found?.components[name]).to.be.closeTo(SHARE * (before?.components[name] ?? 0), 1e-12);
    }
    const { vector, keyword } = queryConfig({}).recall.scoring.weights;
    const match = vector * (before?.components.vector ?? 0) + keyword * (before?.components.keyword ?? 0);
    expect(found?.score).to.be.closeTo((own?.score ?? 0) + SHARE * match, 1e-9);
  });

  it('scores the same whether or not a search returns it as well', () => {
    for (const memory of [onTopic, offTopic]) {
      const alone = bestOf(scored([successor(memory), candidateOf(unrelated, similar(0.1))], query), memory);
      for (const evidence of [[{ source: 'keyword' } as const], [similar(0.2)]]) {
        const both = scored([...foundTwice(memory, ...evidence), candidateOf(unrelated, similar(0.1))], query);
        expect(bestOf(both, memory), memory.content).to.be.closeTo(alone, 1e-12);
      }
    }
  });

  it('on the topic scores higher than an unrelated memory', () => {
    const found = scored([successor(onTopic), candidateOf(unrelated, similar(0.3))], query);
    expect(bestOf(found, onTopic)).to.be.greaterThan(bestOf(found, unrelated));
  });

  it('off the topic scores lower than a memory that matches like the replaced one', () => {
    const genuine = memoryOf(5, { content: 'We deploy on Mondays', importance: 0.9 });
    const found = scored([successor(offTopic), candidateOf(genuine, similar(0.8))], query);
    expect(bestOf(found, offTopic)).to.be.lessThan(bestOf(found, genuine));
  });

  it('leaves the rarity of words as it is when the search returns it as well', () => {
    const pool = [candidateOf(unrelated, similar(0.1)), candidateOf(memoryOf(6, { content: 'We walk' }), similar(0.1))];
    const keywordOf = (found: readonly ScoredCandidate[]): number | undefined => found.at(-1)?.components.keyword;
    const question = 'deploy walk';
    expect(keywordOf(scored([...foundTwice(onTopic, similar(0.3)), ...pool], question))).to.equal(
      keywordOf(scored([successor(onTopic), ...pool], question)),
    );
  });

  it('has its own importance in a listing', () => {
    const memory = memoryOf(7, { importance: 0.2 });
    const listed = { ...successor(memory, { source: 'tag' }), replaces: replacedOf(memoryOf(8, { importance: 1 })) };
    const [found] = scored([listed], '*');
    expect(found?.components).to.include({ keyword: 0.2, importance: 0.2 });
  });

  it('passes the relevance gate with the evidence that it takes over', () => {
    const gated = { RECALL_RELEVANCE_GATE: '0.5' };
    const [found] = scored([successor(offTopic)], query, gated);
    expect(found?.components).to.include({ relevance_gated: false, importance: 0.9 });
    expect(found?.components.evidence).to.be.closeTo(SHARE, 1e-12);
    const weak = {
      ...successor(offTopic),
      replaces: replacedOf(unrelated, { evidence: [similar(0.1)], share: SHARE }),
    };
    expect(scored([weak], query, gated)[0]?.components).to.include({ relevance_gated: true });
  });
});
