import { expect } from 'chai';
import { EXAMPLES, isExample } from '../../../../projectors/enricher/enrich-memory.js';
import { memoryId } from '../../../support/fixtures/memories.js';

describe('examples of a pattern', () => {
  /** A pattern knows its number of memories from the last time that it doubled. */
  function examplesAmong(count: number): number {
    let known = 0;
    let examples = 0;
    for (let number = 1; number <= count; number += 1) {
      if (number >= 2 * known) known = number;
      if (isExample(memoryId(number), known)) examples += 1;
    }
    return examples;
  }

  it('are all memories while the pattern knows few', () => {
    expect(examplesAmong(EXAMPLES)).to.equal(EXAMPLES);
  });

  it('grow by about the same number each time the memories double', () => {
    expect(examplesAmong(100_000)).to.be.within(6 * EXAMPLES, 10 * EXAMPLES);
  });

  it('include new memories of a large pattern that returned', () => {
    const numbers = Array.from({ length: 100_000 }, (_, index) => index + 1);
    const examples = numbers.filter((number) => isExample(memoryId(number), 100_000));
    expect(examples.length).to.be.within(0.8 * EXAMPLES, 1.2 * EXAMPLES);
  });
});
