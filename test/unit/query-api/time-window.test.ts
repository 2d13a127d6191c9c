import { expect } from 'chai';
import { readTimeWindow } from '../../../query-api/recall/time-window.js';

/** A Wednesday. */
const now = new Date('2024-06-12T15:30:00Z');
const at = (date: string, time = '00:00:00'): string => `${date}T${time}+00:00`;

const WINDOWS: readonly [phrase: string, start: string | null, end: string | null][] = [
  ['today', at('2024-06-12'), at('2024-06-13')],
  ['this day', at('2024-06-12'), at('2024-06-13')],
  ['yesterday', at('2024-06-11'), at('2024-06-12')],
  ['last 24 hours', at('2024-06-11', '15:30:00'), at('2024-06-12', '15:30:00')],
  ['past 48 hours', at('2024-06-10', '15:30:00'), at('2024-06-12', '15:30:00')],
  ['this week', at('2024-06-10'), at('2024-06-17')],
  ['last week', at('2024-06-03'), at('2024-06-10')],
  ['past week', at('2024-06-03'), at('2024-06-10')],
  ['this month', at('2024-06-01'), at('2024-07-01')],
  ['last month', at('2024-05-01'), at('2024-06-01')],
  ['this year', at('2024-01-01'), at('2025-01-01')],
  ['past year', at('2023-01-01'), at('2024-01-01')],
  ['last 7 days', at('2024-06-05', '15:30:00'), at('2024-06-12', '15:30:00')],
  ['Last  30 Days ', at('2024-05-13', '15:30:00'), at('2024-06-12', '15:30:00')],
  ['past 7 days', at('2024-06-05', '15:30:00'), at('2024-06-12', '15:30:00')],
  ['last 3 weeks', at('2024-05-22', '15:30:00'), at('2024-06-12', '15:30:00')],
  ['past 90 minutes', at('2024-06-12', '14:00:00'), at('2024-06-12', '15:30:00')],
  ['in the last two months', at('2024-04-12', '15:30:00'), at('2024-06-12', '15:30:00')],
  ['last hour', at('2024-06-12', '14:30:00'), at('2024-06-12', '15:30:00')],
  ['3 days ago', at('2024-06-09'), at('2024-06-10')],
  ['an hour ago', at('2024-06-12', '14:30:00'), at('2024-06-12', '15:30:00')],
  ['monday', at('2024-06-10'), at('2024-06-11')],
  ['on wednesday', at('2024-06-12'), at('2024-06-13')],
  ['last wednesday', at('2024-06-05'), at('2024-06-06')],
  ['june', at('2024-06-01'), at('2024-07-01')],
  ['in july', at('2023-07-01'), at('2023-08-01')],
  ['last june', at('2023-06-01'), at('2023-07-01')],
  ['feb 2024', at('2024-02-01'), at('2024-03-01')],
  ['March 5, 2024', at('2024-03-05'), at('2024-03-06')],
  ['5th of march', at('2024-03-05'), at('2024-03-06')],
  ['december 24', at('2023-12-24'), at('2023-12-25')],
  ['2023', at('2023-01-01'), at('2024-01-01')],
  ['2024-02', at('2024-02-01'), at('2024-03-01')],
  ['2024-02-29', at('2024-02-29'), at('2024-03-01')],
  ['since 2024-01-01', at('2024-01-01'), null],
  ['since yesterday', at('2024-06-11'), null],
  ['after january', at('2024-02-01'), null],
  ['before 2024-03-01T10:00:00+02:00', null, at('2024-03-01', '08:00:00')],
  ['until last month', null, at('2024-06-01')],
  ['between 2024-01-01 and 2024-01-31', at('2024-01-01'), at('2024-02-01')],
  ['from march to april', at('2024-03-01'), at('2024-05-01')],
];

const UNREADABLE = [
  '', 'soon', 'last x days', 'last -3 days', 'last 0 days', 'last 1.5 days', 'last 9999999 days', 'last 20000 years', 'february 30 2024', '2024-13',
  'since soon', 'between 2024-02-01 and 2024-01-01', 'the week', 'may be', 'since since 2024-01-01',
];

describe('a time window in words', () => {
  for (const [phrase, start, end] of WINDOWS) {
    it(`reads ${JSON.stringify(phrase)}`, () => {
      expect(readTimeWindow(phrase, now)).to.deep.equal({ start, end });
    });
  }

  for (const phrase of UNREADABLE) {
    it(`does not read ${JSON.stringify(phrase)}`, () => {
      expect(readTimeWindow(phrase, now)).to.equal(null);
    });
  }

  it('takes the last day of a shorter month', () => {
    expect(readTimeWindow('past 1 month', new Date('2024-03-31T12:00:00Z'))).to.deep.equal({
      start: at('2024-02-29', '12:00:00'),
      end: at('2024-03-31', '12:00:00'),
    });
  });

  it('begins the week on Monday even on a Sunday', () => {
    expect(readTimeWindow('this week', new Date('2024-06-16T23:00:00Z'))?.start).to.equal(at('2024-06-10'));
  });
});
