import { expect } from 'chai';

/** Node writes its warnings as `(node:4711) [DEP0040] DeprecationWarning: ...`; ours are JSON. */
export function expectNoNodeWarning(output: string): void {
  expect(output.split('\n').filter((line) => /^\(node:\d+\)/u.test(line))).to.deep.equal([]);
}
