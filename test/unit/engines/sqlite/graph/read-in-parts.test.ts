import { expect } from 'chai';
import { readInParts } from '../../../../../shared/engines/sqlite/graph/reading/read-in-parts.js';

/** Reads rows with the ids 1 to `count` and notes each read: the id after which it begins, and its limit. */
function recorded(count: number) {
  const reads: (readonly [after: number, limit: number])[] = [];
  const read = async (last: { readonly memory: { readonly id: string } } | null, limit: number) => {
    const after = Number(last?.memory.id ?? 0);
    reads.push([after, limit]);
    const size = Math.min(limit, count - after);
    return Array.from({ length: size }, (_, index) => ({ body: JSON.stringify({ id: String(after + index + 1) }) }));
  };
  return { reads, read };
}

describe('readInParts', () => {
  for (const [count, limit, expected] of [
    [
      200,
      120,
      [
        [0, 50],
        [50, 50],
        [100, 20],
      ],
    ],
    [
      60,
      120,
      [
        [0, 50],
        [50, 50],
      ],
    ],
    [200, 50, [[0, 50]]],
    [200, 0, []],
  ] as const)
    it(`reads ${limit} of ${count} memories once each, in parts of at most 50`, async () => {
      const { reads, read } = recorded(count);
      const found = await readInParts(limit, read);
      expect(found.map(({ memory }) => Number(memory.id))).to.deep.equal(
        Array.from({ length: Math.min(count, limit) }, (_, index) => index + 1),
      );
      expect(reads).to.deep.equal(expected);
    });
});
