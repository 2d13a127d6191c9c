import { expect } from 'chai';
import { queryConfig } from '../../../../../query-api/config.js';
import { contextProfile } from '../../../../../query-api/recall/plan/context-profile.js';
import { planRecall } from '../../../../../query-api/recall/plan/plan-recall.js';
import { contextBonus } from '../../../../../query-api/recall/score/context-bonus.js';
import { metadataTerms } from '../../../../../query-api/recall/score/metadata-terms.js';
import { createCandidateScorer } from '../../../../../query-api/recall/score/score-candidates.js';
import type { Memory } from '../../../../../shared/contract/memory.js';
import type { RecallQuery } from '../../../../../shared/contract/queries/recall-query.js';
import { candidateOf, memoryOf, NOW, numberedId } from '../memories.js';

const bonus = (request: RecallQuery, overrides: Partial<Memory>): number => {
  const memory = memoryOf(1, overrides);
  return contextBonus(contextProfile(request, null), memory, metadataTerms(memory.metadata));
};

const BONUSES: readonly [title: string, request: RecallQuery, overrides: Partial<Memory>, expected: number][] = [
  ['a request without a profile', {}, { tags: ['python'], type: 'Style' }, 0],
  ['a whole tag', { context_tags: ['Redis'] }, { tags: ['REDIS'] }, 0.45],
  ['the beginning of a tag', { context_tags: ['project/foo'] }, { tags: ['project:foo:bar'] }, 0.45],
  ['a part of a tag', { context_tags: ['style'] }, { tags: ['lang//python::style'] }, 0.45],
  ['a word of a tag', { context_tags: ['redis'] }, { tags: ['my-redis_notes'] }, 0.45],
  ['a tag in another script', { context_tags: ['数据库'] }, { tags: ['项目:数据库'] }, 0.45],
  ['an emoji', { context_tags: ['🦓'] }, { tags: ['zoo/🦓'] }, 0.45],
  ['a part of a word', { context_tags: ['go', 'art'] }, { tags: ['category', 'start'] }, 0],
  ['a tag that is longer than the tag of the memory', { context_tags: ['a:b:c'] }, { tags: ['a:b'] }, 0],
  ['C and the tag C++', { context_tags: ['c'] }, { tags: ['c++'] }, 0],
  ['several fitting tags', { context_tags: ['a', 'b'] }, { tags: ['a', 'b', 'a:b'] }, 0.45],
  ['a type', { context_types: ['decision'] }, { type: 'Decision' }, 0.25],
  ['another type', { context_types: ['decision'] }, { type: 'Insight' }, 0],
  ['the language in the metadata', { language: 'py' }, { metadata: { stack: ['Python', 'Django'] } }, 0.2],
  [
    'a tag that is only in the metadata',
    { context_tags: ['django'] },
    { metadata: { stack: ['Python', 'Django'] } },
    0,
  ],
  ['a named id', { priority_ids: [numberedId(1)] }, {}, 0.9],
  ['another id', { priority_ids: [numberedId(2)] }, {}, 0],
  [
    'a memory that fits in every way',
    { language: 'python', priority_ids: [numberedId(1)] },
    { type: 'Style', tags: ['python'], metadata: { language: 'python' } },
    1.8,
  ],
];

describe('context bonus', () => {
  for (const [title, request, overrides, expected] of BONUSES) {
    it(`is ${expected} for ${title}`, () => {
      expect(bonus(request, overrides)).to.be.closeTo(expected, 1e-12);
    });
  }

  it('is added without a weight, also below the relevance gate', () => {
    const { recall } = queryConfig({ RECALL_RELEVANCE_GATE: '0.5' });
    const scoreOf = (request: RecallQuery) => {
      const plan = planRecall({ query: 'redis', ...request }, { config: recall, dimension: 4, now: NOW });
      return createCandidateScorer(recall.scoring)(
        [candidateOf(memoryOf(1, { tags: ['ops'] }), { source: 'vector', similarity: 0.1 })],
        plan,
      )[0];
    };
    const [without, within] = [scoreOf({}), scoreOf({ context: 'ops' })];
    expect(within?.components).to.deep.equal({ ...without?.components, relevance_gated: true, context: 0.45 });
    expect((within?.score ?? 0) - (without?.score ?? 0)).to.be.closeTo(0.45, 1e-12);
  });
});
