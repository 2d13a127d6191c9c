import { expect } from 'chai';
import { dateMatches } from '../../../../../../query-api/recall/score/signals/date-matches.js';
import { memoryOf } from '../../memories.js';

describe('date matches', () => {
  const pool = [
    memoryOf(1, { timestamp: '2023-05-08T10:00:00+00:00' }),
    memoryOf(2, { timestamp: '2022-05-08T10:00:00+00:00' }),
  ];
  const cases: readonly [query: string, matches: readonly number[]][] = [
    ['What happened in May 2023?', [1, 0]],
    ['What happened in May?', [1, 1]],
    ['the plans for 2022', [0, 0.5]],
    ['on 8 May, 2022', [0, 1]],
    ['release of 2023-05', [1, 0]],
    ['what may we do', [0, 0]],
    ['ticket OPS-2023 and port 2022:80', [0, 0]],
    ['nothing of that kind', [0, 0]],
  ];
  for (const [query, matches] of cases) {
    it(`are ${matches.join(' and ')} for "${query}"`, () => expect(dateMatches(query, pool)).to.deep.equal(matches));
  }
});
