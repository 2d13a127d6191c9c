import { expect } from 'chai';
import { comparePoint } from '../../../../shared/integrity/comparison/compare-point.js';
import type { LoadedMemory } from '../../../../shared/ports/graph.js';
import { pointPayload } from '../../../../shared/ports/point-payload.js';
import type { ScannedPoint } from '../../../../shared/ports/vectors.js';
import { memory } from '../../../support/fixtures/memories.js';

const LOADED: LoadedMemory = { memory: memory(1), vectorRef: null, version: 3, revision: 1, position: 1 };
const POINT: ScannedPoint = { id: LOADED.memory.id, version: 3, model: 'model', payload: pointPayload(LOADED.memory) };
const compare = (loaded: LoadedMemory | undefined, point: ScannedPoint | undefined) =>
  comparePoint(loaded, point, 'model');

describe('comparePoint', () => {
  it('finds no difference in a point that is made from its memory', () => {
    expect(compare(LOADED, POINT)).to.equal(null);
    expect(compare(undefined, undefined)).to.equal(null);
  });

  it('names each difference, the version before model and payload', () => {
    const payload = { ...POINT.payload, archived: true };
    expect(compare(LOADED, undefined)).to.equal('index lacks');
    expect(compare(undefined, POINT)).to.equal('index has extra');
    expect(compare(LOADED, { ...POINT, version: 2, model: 'other' })).to.equal('index is older');
    expect(compare(LOADED, { ...POINT, version: 4, payload })).to.equal('index is newer');
    expect(compare(LOADED, { ...POINT, model: 'other', payload })).to.equal('index has another model');
    expect(compare(LOADED, { ...POINT, payload })).to.equal('index differs');
  });

  it('accepts the model of a supplied vector only for a memory with one', () => {
    const supplied = { ...POINT, model: 'supplied' };
    expect(compare({ ...LOADED, vectorRef: 'supplied:1' }, supplied)).to.equal(null);
    expect(compare(LOADED, supplied)).to.equal('index has another model');
  });

  it('accepts a memory with a supplied vector that was embedded again', () => {
    expect(compare({ ...LOADED, vectorRef: 'supplied:1' }, POINT)).to.equal(null);
  });
});
