import { expect } from 'chai';
import { queryConfig } from '../../../../../query-api/config.js';
import { planExpansion } from '../../../../../query-api/recall/plan/plan-expansion.js';
import type { RecallQuery } from '../../../../../shared/contract/queries/recall-query.js';

const planned = (query: RecallQuery, environment: Record<string, string> = {}) =>
  planExpansion(query, queryConfig(environment).recall);

describe('the plan of an expansion', () => {
  it('is off by default and has the configured limits', () => {
    expect(planned({})).to.deep.equal({
      followsRelations: false,
      followsEntities: false,
      relationLimit: 5,
      limit: 25,
      minImportance: 0,
      minStrength: 0,
      respectsTags: false,
    });
    expect(planned({}, { RECALL_RELATION_LIMIT: '9', RECALL_EXPANSION_LIMIT: '40' })).to.include({
      relationLimit: 9,
      limit: 40,
    });
  });

  it('uses the parameters of the request', () => {
    const query = {
      expand_relations: true,
      expand_entities: true,
      relation_limit: 2,
      expansion_limit: 3,
      expand_min_importance: 0.4,
      expand_min_strength: 0.6,
      expand_respect_tags: true,
    };
    expect(planned(query)).to.deep.equal({
      followsRelations: true,
      followsEntities: true,
      relationLimit: 2,
      limit: 3,
      minImportance: 0.4,
      minStrength: 0.6,
      respectsTags: true,
    });
  });
});
