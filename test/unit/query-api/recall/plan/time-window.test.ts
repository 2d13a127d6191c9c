import { expect } from 'chai';
import { readTimeWindow } from '../../../../../query-api/recall/plan/time-window.js';

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
  ['between last monday and now', at('2024-06-10'), at('2024-06-12', '15:30:00')],
  ['2024-01-01..2024-01-31', at('2024-01-01'), at('2024-02-01')],
  ['2024/01/01 - 2024/01/31', at('2024-01-01'), at('2024-02-01')],
  ['January 5 through February 2', at('2024-01-05'), at('2024-02-03')],
  ['from 2024-03-01 onwards', at('2024-03-01'), null],
  ['on or after march 5', at('2024-03-05'), null],
  ['on or before march 5', null, at('2024-03-06')],
  ['last 24h', at('2024-06-11', '15:30:00'), at('2024-06-12', '15:30:00')],
  ['past 45 mins', at('2024-06-12', '14:45:00'), at('2024-06-12', '15:30:00')],
  ['last ninety days', at('2024-03-14', '15:30:00'), at('2024-06-12', '15:30:00')],
  ['the last couple of weeks', at('2024-05-29', '15:30:00'), at('2024-06-12', '15:30:00')],
  ['two weeks ago', at('2024-05-27'), at('2024-06-03')],
  ['since 3d ago', at('2024-06-09'), null],
  ['last 2 years', at('2022-06-12', '15:30:00'), at('2024-06-12', '15:30:00')],
  ['the day before yesterday', at('2024-06-10'), at('2024-06-11')],
  ['tomorrow', at('2024-06-13'), at('2024-06-14')],
  ['next month', at('2024-07-01'), at('2024-08-01')],
  ['current week', at('2024-06-10'), at('2024-06-17')],
  ['this weekend', at('2024-06-15'), at('2024-06-17')],
  ['last weekend', at('2024-06-08'), at('2024-06-10')],
  ['sept 2023', at('2023-09-01'), at('2023-10-01')],
  ['this quarter', at('2024-04-01'), at('2024-07-01')],
  ['last quarter', at('2024-01-01'), at('2024-04-01')],
  ['past 2 quarters', at('2023-12-12', '15:30:00'), at('2024-06-12', '15:30:00')],
  ['2 quarters ago', at('2023-10-01'), at('2024-01-01')],
  ['q3 2023', at('2023-07-01'), at('2023-10-01')],
  ['Q4 of 2023', at('2023-10-01'), at('2024-01-01')],
  ['2023-Q1', at('2023-01-01'), at('2023-04-01')],
  ['2023 q1', at('2023-01-01'), at('2023-04-01')],
  ['in the third quarter of 2022', at('2022-07-01'), at('2022-10-01')],
  ['the 2nd quarter', at('2024-04-01'), at('2024-07-01')],
  ['q3', at('2023-07-01'), at('2023-10-01')],
  ['last q2', at('2023-04-01'), at('2023-07-01')],
  ['since q1 2024', at('2024-01-01'), null],
  ['between q1 and q2', at('2024-01-01'), at('2024-07-01')],
  ['from march to april', at('2024-03-01'), at('2024-05-01')],
];

const UNREADABLE = [
  '',
  'soon',
  'last x days',
  'last -3 days',
  'last 0 days',
  'last 1.5 days',
  'last 9999999 days',
  'last 20000 years',
  'february 30 2024',
  '2024-13',
  'since soon',
  'between 2024-02-01 and 2024-01-01',
  'the week',
  'may be',
  'since since 2024-01-01',
  'q5',
  'q0 2024',
  'fifth quarter',
  'quarter',
  'last 5m',
  'weekend',
  '2024/13/01',
  '..',
  'from on',
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

  it('uses the last day of a shorter month', () => {
    expect(readTimeWindow('past 1 month', new Date('2024-03-31T12:00:00Z'))).to.deep.equal({
      start: at('2024-02-29', '12:00:00'),
      end: at('2024-03-31', '12:00:00'),
    });
  });

  it('begins the week on Monday, also on a Sunday', () => {
    expect(readTimeWindow('this week', new Date('2024-06-16T23:00:00Z'))?.start).to.equal(at('2024-06-10'));
  });
});
