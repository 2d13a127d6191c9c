import { expect } from 'chai';
import fc from 'fast-check';
import { canonical, supersedeKey } from '../../../../../deploy/mcp/tools/store-memory/supersede.js';
import { IDEMPOTENCY_KEY_LENGTH_LIMIT } from '../../../../../shared/contract/limits.js';
import { memoryId } from '../../../command-api/fixtures.js';

describe('supersede key', () => {
  it('does not depend on the order of object fields at any depth', () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, item]) => [name, reversed(item)]),
      );
    };
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (metadata) => {
        const memory = { content: 'x', metadata };
        const other = reversed(memory) as typeof memory;
        expect(supersedeKey(memoryId(1), memory)).to.equal(supersedeKey(memoryId(1), other));
        expect(JSON.stringify(canonical(memory))).to.equal(JSON.stringify(canonical(other)));
        expect(canonical(memory)).to.deep.equal(memory);
      }),
      { seed: 17 },
    );
  });

  it('differs by content, order of a list, and superseded memory', () => {
    const keys = [
      supersedeKey(memoryId(1), { content: 'x' }),
      supersedeKey(memoryId(1), { content: 'y' }),
      supersedeKey(memoryId(2), { content: 'x' }),
      supersedeKey(memoryId(1), { content: 'x', tags: ['a', 'b'] }),
      supersedeKey(memoryId(1), { content: 'x', tags: ['b', 'a'] }),
    ];

    expect(new Set(keys).size).to.equal(keys.length);
    for (const { length } of keys) expect(length).to.be.at.most(IDEMPOTENCY_KEY_LENGTH_LIMIT);
  });
});
