import { expect } from 'chai';
import fc from 'fast-check';
import { isNestedDeeperThan } from '../../../shared/http/json-depth.js';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('the depth of JSON text', () => {
  it('is that of the value it stands for', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const bytes = Buffer.from(JSON.stringify(value));
        const depth = depthOf(value);
        expect(isNestedDeeperThan(depth, bytes)).to.equal(false);
        expect(isNestedDeeperThan(depth - 1, bytes)).to.equal(true);
      }),
      { seed: 11 },
    );
  });

  it('does not count brackets and quotes within texts', () => {
    const bytes = Buffer.from(JSON.stringify({ '[{"': '[[[ \\" {{{ \\\\', b: '"[' }));
    expect(isNestedDeeperThan(1, bytes)).to.equal(false);
    expect(isNestedDeeperThan(0, bytes)).to.equal(true);
  });

  it('is found of text that is no whole JSON', () => {
    expect(isNestedDeeperThan(3, Buffer.from('[[[['))).to.equal(true);
    expect(isNestedDeeperThan(3, Buffer.from('[]]]]"[[[['))).to.equal(false);
  });
});
