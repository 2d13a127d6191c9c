import { expect } from 'chai';
import { splitIntoRequests } from '../../../../../shared/engines/kafka/publisher/event-publisher.js';

describe('splitIntoRequests', () => {
  const message = (key: string, bytes: number) => ({ key, value: 'x'.repeat(bytes) });

  it('splits by bytes, in order, with at least one event a request', () => {
    const messages = [message('a', 400), message('b', 400), message('c', 5_000), message('d', 10)];
    expect(splitIntoRequests(messages, 1_200).map((request) => request.map(({ key }) => key))).to.deep.equal([
      ['a', 'b'],
      ['c'],
      ['d'],
    ]);
    expect(splitIntoRequests([], 1_200)).to.deep.equal([]);
  });

  it('counts bytes, not characters', () => {
    const wide = { key: 'a', value: '🧠'.repeat(100) };
    expect(splitIntoRequests([wide, wide], 900)).to.have.lengthOf(2);
  });
});
