/** The parts of time in which a listing counts its memories. */
import { expect } from 'chai';
import { countTimes } from '../../../../query-api/memories/count-times.js';

const dated = (...dates: string[]) => dates.map((date) => ({ date, count: 1 }));

describe('countTimes', () => {
  it('counts nothing without a date', () => {
    expect(countTimes([])).to.deep.equal({ unit: 'day', counts: [] });
  });

  it('counts by day up to three months', () => {
    expect(countTimes([{ date: '2024-01-01', count: 3 }, ...dated('2024-04-01')])).to.deep.equal({
      unit: 'day',
      counts: [
        { from: '2024-01-01', count: 3 },
        { from: '2024-04-01', count: 1 },
      ],
    });
  });

  it('counts by week from Monday on', () => {
    // 2024-01-01 is a Monday.
    expect(countTimes(dated('2023-12-31', '2024-01-01', '2024-01-07', '2024-01-08', '2024-06-01'))).to.deep.equal({
      unit: 'week',
      counts: [
        { from: '2023-12-25', count: 1 },
        { from: '2024-01-01', count: 2 },
        { from: '2024-01-08', count: 1 },
        { from: '2024-05-27', count: 1 },
      ],
    });
  });

  it('counts by month, and beyond eight years by year', () => {
    expect(countTimes(dated('2020-02-29', '2020-03-01', '2023-03-31'))).to.deep.equal({
      unit: 'month',
      counts: ['2020-02-01', '2020-03-01', '2023-03-01'].map((from) => ({ from, count: 1 })),
    });
    expect(countTimes(dated('0001-05-05', '2020-01-01', '2020-12-31', '9999-12-31'))).to.deep.equal({
      unit: 'year',
      counts: [
        { from: '0001-01-01', count: 1 },
        { from: '2020-01-01', count: 2 },
        { from: '9999-01-01', count: 1 },
      ],
    });
  });
});
