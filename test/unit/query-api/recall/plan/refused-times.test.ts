import { expect } from 'chai';
import { queryConfig } from '../../../../../query-api/config.js';
import { planRecall } from '../../../../../query-api/recall/plan/plan-recall.js';
import type { RecallQuery } from '../../../../../shared/contract/queries/recall-query.js';
import { ValidationError } from '../../../../../shared/kernel/errors.js';
import { NOW } from '../memories.js';

describe('refused times of a recall', () => {
  function refusalOf(query: RecallQuery): ValidationError {
    try {
      planRecall(query, { config: queryConfig({}).recall, dimension: 4, now: NOW });
    } catch (error) {
      if (error instanceof ValidationError) return error;
      throw error;
    }
    throw new Error('the plan was not refused');
  }

  it('hint at a + that was not encoded', () => {
    const { message, help } = refusalOf({ start: '2024-03-05T10:00:00 02:00' });
    expect(message).to.equal('Invalid start time: Invalid ISO timestamp');
    expect(help.hint).to.contain('%2B');
  });

  it('echo at most 100 characters of a long text', () => {
    const long = 'x'.repeat(10_000);
    for (const query of [{ time_query: long }, { start: long }]) {
      const { message, help } = refusalOf(query);
      expect(`${message} ${help.detail ?? ''}`.length).to.be.lessThan(300);
    }
  });
});
