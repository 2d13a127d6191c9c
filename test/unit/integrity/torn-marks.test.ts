import { expect } from 'chai';
import { readComparison } from '../../../shared/integrity/journal-mark/check-mark.js';

const STATE = {
  id: 'journal-a',
  head: 9,
  applied: 9,
  hasMarkedGraph: true,
  behindFrom: null,
  lost: null,
  rebuild: null,
};
const JOURNAL = {
  state: async () => STATE,
  eventIdsAt: async (positions: readonly number[]) => new Map(positions.map((at) => [at, `event-${at}`])),
};
const mark = (position: number, eventId: string) => ({ journalId: 'journal-a', position, eventId });

describe('comparison of a mark that moves', () => {
  it('finds no lost event in two halves of two marks', async () => {
    const reads = [mark(4, 'event-6'), mark(6, 'event-8'), mark(8, 'event-8')];
    const store = { read: async () => reads.shift() ?? null };
    expect(await readComparison({ journal: JOURNAL, store })).to.deep.include({ mark: mark(8, 'event-8'), lost: null });
  });

  it('finds an event that the journal lacks in a second read', async () => {
    let reads = 0;
    const store = {
      read: async () => {
        reads += 1;
        return mark(8, 'lost');
      },
    };
    const { lost } = await readComparison({ journal: JOURNAL, store });
    expect(lost).to.deep.equal({ position: 8, eventId: 'lost', found: 'event-8' });
    expect(reads).to.equal(2);
  });
});
