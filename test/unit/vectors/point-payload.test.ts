import { expect } from 'chai';
import { isExpectedModel, isSamePayload, pointPayload, SUPPLIED_MODEL } from '../../../shared/ports/point-payload.js';
import { memory } from '../../support/fixtures/events.js';

const payload = pointPayload(memory(1, { importance: 0.37219483882822124, confidence: 0.5, tags: ['one', 'two'] }));

describe('payload of a point', () => {
  it('is the same with numbers that differ in their last digit', () => {
    expect(isSamePayload(payload, { ...payload, importance: 0.3721948388282213 })).to.equal(true);
  });

  for (const [name, changed] of Object.entries({
    importance: { importance: 0.372195 },
    confidence: { confidence: 0.6 },
    tags: { tags: ['one'] },
    'the end of its validity': { validUntil: '2026-01-01T00:00:00+00:00' },
    'the archived state': { archived: true },
  })) {
    it(`differs in ${name}`, () => expect(isSamePayload(payload, { ...payload, ...changed })).to.equal(false));
  }
});

describe('isExpectedModel', () => {
  const EXPECTED: readonly (readonly [string, string | null, boolean])[] = [
    ['model/8', null, true],
    ['other/8', null, false],
    [SUPPLIED_MODEL, null, false],
    [SUPPLIED_MODEL, 'supplied:1', true],
    ['model/8', 'supplied:1', true],
    ['other/8', 'supplied:1', false],
  ];
  for (const [actual, vectorRef, expected] of EXPECTED)
    it(`is ${expected} for a point of ${actual} and the reference ${vectorRef}`, () => {
      expect(isExpectedModel(actual, { vectorRef, embedderModel: 'model/8' })).to.equal(expected);
    });
});
