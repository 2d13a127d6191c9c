import { expect } from 'chai';
import { queryConfig } from '../../../../../query-api/config.js';
import type { Evidence } from '../../../../../query-api/recall/candidate.js';
import { planRecall } from '../../../../../query-api/recall/plan/plan-recall.js';
import { presentExpansion, presentOrigin } from '../../../../../query-api/recall/present/present-expansion.js';
import type { RecallQuery } from '../../../../../shared/contract/queries/recall-query.js';
import { NOW, numberedId } from '../memories.js';

const followed = (from: number, strength: number, importance: number): Evidence => ({
  source: 'relation',
  type: 'LEADS_TO',
  strength,
  seed: { id: numberedId(from), importance, score: 0.123456789, rank: from - 1 },
});

describe('the presented expansion', () => {
  const found = (...evidence: readonly Evidence[]) => ({ evidence, replaces: null });
  const shown = (query: RecallQuery, results: readonly ReturnType<typeof found>[]) =>
    presentExpansion(
      planRecall(query, { config: queryConfig({}).recall, dimension: 4, now: NOW }),
      { seedCount: 2, entitiesFound: ['ann'] },
      results,
    );
  const byEntity: Evidence = { source: 'entity', entity: 'ann' };
  const results = [found({ source: 'keyword' }), found(followed(1, 0.5, 0.5)), found(byEntity)];

  it('has a block per requested kind', () => {
    expect(shown({}, results)).to.deep.equal({});
    expect(shown({ expand_relations: true, relation_limit: 7 }, results)).to.deep.equal({
      expansion: {
        enabled: true,
        seed_count: 2,
        expanded_count: 1,
        relation_limit: 7,
        expansion_limit: 25,
        respect_tags: false,
      },
    });
    expect(shown({ expand_entities: true }, results)).to.deep.equal({
      entity_expansion: { enabled: true, expanded_count: 1, entities_found: ['ann'] },
    });
  });

  it('shows how each memory was reached', () => {
    expect(presentOrigin(found({ source: 'keyword' }))).to.deep.equal({});
    expect(presentOrigin(found(byEntity))).to.deep.equal({ expanded_from_entity: 'ann' });
    expect(presentOrigin(found(followed(1, 0.9, 0.8), followed(2, 1, 0.5)))).to.deep.equal({
      relation_score: 1.22,
      related_to: [
        { type: 'LEADS_TO', strength: 0.9, from: numberedId(1), seed_rank: 0, seed_score: 0.123457 },
        { type: 'LEADS_TO', strength: 1, from: numberedId(2), seed_rank: 1, seed_score: 0.123457 },
      ],
    });
  });
});
