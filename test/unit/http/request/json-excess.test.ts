import { expect } from 'chai';
import fc from 'fast-check';
import { jsonExcess } from '../../../../shared/http/request/json-checks.js';

const isNestedDeeperThan = (depth: number, bytes: Uint8Array): boolean =>
  jsonExcess({ depth, values: Infinity, names: Infinity }, bytes) === 'depth';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('depth of JSON text', () => {
  it('equals the depth of the parsed value', () => {
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

  it('ignores brackets and quotes within strings', () => {
    const bytes = Buffer.from(JSON.stringify({ '[{"': '[[[ \\" {{{ \\\\', b: '"[' }));
    expect(isNestedDeeperThan(1, bytes)).to.equal(false);
    expect(isNestedDeeperThan(0, bytes)).to.equal(true);
  });

  it('is measured for incomplete JSON too', () => {
    expect(isNestedDeeperThan(3, Buffer.from('[[[['))).to.equal(true);
    expect(isNestedDeeperThan(3, Buffer.from('[]]]]"[[[['))).to.equal(false);
  });
});

describe('values of JSON text', () => {
  it('are counted outside of strings, up to the limit', () => {
    const bytes = Buffer.from('{"a":[{},{},{"b,":",[{"}],"c":1}');
    expect(jsonExcess({ depth: 100, values: 8, names: 100 }, bytes)).to.equal(null);
    expect(jsonExcess({ depth: 100, values: 7, names: 100 }, bytes)).to.equal('values');
  });
});

describe('names of JSON text', () => {
  it('are counted outside of strings, up to the limit', () => {
    const bytes = Buffer.from('{"a:b":[{"c":"d:e"},":"],"f\\":":1}');
    expect(jsonExcess({ depth: 100, values: 100, names: 3 }, bytes)).to.equal(null);
    expect(jsonExcess({ depth: 100, values: 100, names: 2 }, bytes)).to.equal('names');
  });
});
