import { expect } from 'chai';
import { driftKindOf } from '../../../../shared/integrity/drift/drift-kind.js';
import type { LoadedMemory } from '../../../../shared/ports/graph.js';
import { pointPayload } from '../../../../shared/ports/point-payload.js';
import type { ScannedPoint } from '../../../../shared/ports/vectors.js';
import { memory } from '../../../support/fixtures/memories.js';

const LOADED: LoadedMemory = { memory: memory(1), vectorRef: null, version: 3, revision: 1, position: 1 };
const POINT: ScannedPoint = {
  id: LOADED.memory.id,
  version: 3,
  model: 'model',
  payload: pointPayload(LOADED.memory),
};
const EXPECTED = { model: 'model', excludedTypes: ['MetaPattern'] };
const kindOf = (loaded: LoadedMemory | undefined, point: ScannedPoint | undefined) =>
  driftKindOf(loaded, point, EXPECTED);

describe('driftKindOf', () => {
  it('finds no drift in a point that is made from its memory', () => {
    expect(kindOf(LOADED, POINT)).to.equal(null);
  });

  it('reports a memory without point, and a point without memory', () => {
    expect(kindOf(LOADED, undefined)).to.equal('missing');
    expect(kindOf(undefined, POINT)).to.equal('orphaned');
  });

  it('reports an older version, another model and another payload as stale', () => {
    expect(kindOf(LOADED, { ...POINT, version: 2 })).to.equal('stale');
    expect(kindOf(LOADED, { ...POINT, model: 'other' })).to.equal('stale');
    expect(kindOf(LOADED, { ...POINT, payload: { ...POINT.payload, archived: true } })).to.equal('stale');
  });

  it('accepts a newer version, which the graph has not yet', () => {
    expect(kindOf(LOADED, { ...POINT, version: 4, model: 'other' })).to.equal(null);
  });

  it('leaves out memories and orphans of excluded types', () => {
    const pattern = { ...LOADED, memory: { ...LOADED.memory, type: 'MetaPattern' as const } };
    expect(kindOf(pattern, undefined)).to.equal(null);
    expect(kindOf(undefined, { ...POINT, payload: { ...POINT.payload, type: 'MetaPattern' } })).to.equal(null);
  });
});
