import { expect } from 'chai';
import { draftAssociation, draftAssociations } from '../../../../command-api/associations/draft-association.js';
import { NotFoundError, ValidationError } from '../../../../shared/kernel/errors.js';
import { memoryId } from '../fixtures.js';

const GOOD = { memory1_id: memoryId(1), memory2_id: memoryId(2), type: 'RELATES_TO' };

describe('draftAssociation', () => {
  it('uses the strength 0.5 when none is given', () => {
    expect(draftAssociation(GOOD)).to.deep.equal({
      source: memoryId(1),
      target: memoryId(2),
      type: 'RELATES_TO',
      strength: 0.5,
      properties: {},
    });
    expect(draftAssociation({ ...GOOD, strength: null })).to.include({ strength: 0.5 });
  });

  it('reads type and ids in any case, and a strength given as text', () => {
    const source = '0000000A-0000-4000-8000-00000000000B';

    expect(draftAssociation({ ...GOOD, memory1_id: ` ${source} `, type: 'leads_to', strength: '0.25' })).to.include({
      source: source.toLowerCase(),
      type: 'LEADS_TO',
      strength: 0.25,
    });
  });

  it('names the first missing field in order', () => {
    expect(() => draftAssociation({})).to.throw(ValidationError, 'Missing required field: memory1_id');
    expect(() => draftAssociation({ memory1_id: 'a', memory2_id: ' ' })).to.throw('Missing required field: memory2_id');
    expect(() => draftAssociation({ memory1_id: 'a', memory2_id: 'a' })).to.throw('Missing required field: type');
  });

  it('checks equal ends, type, strength and ids in this order', () => {
    const same = { memory1_id: 'x', memory2_id: 'X', type: 'LIKES', strength: 2 };
    expect(() => draftAssociation(same)).to.throw('Cannot associate a memory with itself');
    expect(() => draftAssociation({ ...same, memory2_id: 'y' })).to.throw(
      'Invalid relationship type: LIKES. Must be one of: RELATES_TO, LEADS_TO, OCCURRED_BEFORE, PREFERS_OVER, EXEMPLIFIES, CONTRADICTS, REINFORCES, INVALIDATED_BY, EVOLVED_INTO, DERIVED_FROM, PART_OF',
    );
    expect(() => draftAssociation({ ...same, memory2_id: 'y', type: 'PART_OF' })).to.throw(
      "'strength' must be between 0 and 1",
    );
    expect(() => draftAssociation({ ...GOOD, memory1_id: 'x' })).to.throw(
      NotFoundError,
      'One or both memories do not exist',
    );
  });

  it('refuses the types that only the system writes', () => {
    for (const type of ['SIMILAR_TO', 'PRECEDED_BY', 'DISCOVERED']) {
      expect(() => draftAssociation({ ...GOOD, type })).to.throw(`Invalid relationship type: ${type}`);
    }
  });

  it('refuses a strength that is not a number', () => {
    expect(() => draftAssociation({ ...GOOD, strength: 'strong' })).to.throw("'strength' must be a number");
    expect(() => draftAssociation({ ...GOOD, strength: {} })).to.throw("'strength' must be a number");
  });

  it('keeps the properties of its type, those at the top level first', () => {
    const given = {
      ...GOOD,
      type: 'PREFERS_OVER',
      reason: 'top',
      role: 'none of its own',
      properties: { reason: 'nested', context: 'here', other: 1 },
    };

    expect(draftAssociation(given).properties).to.deep.equal({ reason: 'top', context: 'here' });
  });

  it('validates properties at the top level and in `properties`', () => {
    expect(() => draftAssociation({ ...GOOD, type: 'EXEMPLIFIES', properties: { confidence: 'much' } })).to.throw(
      "'confidence' must be a number",
    );
    expect(() => draftAssociation({ ...GOOD, properties: 'x' })).to.throw("'properties' must be an object");
    expect(() => draftAssociation({ ...GOOD, type: 'REINFORCES', observations: ['x'.repeat(70_000)] })).to.throw(
      "'properties' must be at most",
    );
  });
});

describe('draftAssociations', () => {
  it('refuses an empty batch and a batch of more than 500', () => {
    expect(() => draftAssociations([])).to.throw("'associations' must be a non-empty array");
    expect(() => draftAssociations(Array.from({ length: 501 }))).to.throw(
      'Batch size limit is 500 associations per request',
    );
  });
});
