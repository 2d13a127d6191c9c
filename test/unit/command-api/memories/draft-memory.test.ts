import { expect } from 'chai';
import { draftMemory } from '../../../../command-api/memories/draft-memory.js';
import { ValidationError } from '../../../../shared/kernel/errors.js';
import { LIMITS } from '../fixtures.js';

describe('draftMemory', () => {
  it('rejects a t_valid after t_invalid', () => {
    const draft = (t_valid: string, t_invalid: string) =>
      draftMemory({ content: 'x', t_valid, t_invalid }, { ...LIMITS, vectorSize: 3 }, null);
    expect(() => draft('2025-01-01', '2024-01-01'))
      .to.throw(ValidationError, 't_valid')
      .and.include({ field: 't_valid' });
    expect(draft('2025-01-01', '2025-01-01').t_invalid).to.equal('2025-01-01T00:00:00+00:00');
  });
});
