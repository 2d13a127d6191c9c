/**
 * Calendar arithmetic in UTC: the start of a period, and the instant some units before or after another. Weeks begin on
 * Monday.
 */
export type CalendarUnit = 'day' | 'week' | 'month' | 'quarter' | 'year';
export type Unit = CalendarUnit | 'hour' | 'minute';
/** Null means no bound on that side. */
export type Span = { readonly from: Date | null; readonly until: Date | null };

export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
export const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

const MINUTE_MS = 60_000;
const FIXED_MS = {
  minute: MINUTE_MS,
  hour: 60 * MINUTE_MS,
  day: 1440 * MINUTE_MS,
  week: 7 * 1440 * MINUTE_MS,
} as const;

export function startOf(unit: CalendarUnit, at: Date): Date {
  const start = new Date(at);
  start.setUTCHours(0, 0, 0, 0);
  if (unit === 'week') start.setUTCDate(start.getUTCDate() - ((start.getUTCDay() + 6) % 7));
  if (unit === 'month' || unit === 'quarter' || unit === 'year') start.setUTCDate(1);
  if (unit === 'quarter') start.setUTCMonth(quarterOf(start) * 3);
  if (unit === 'year') start.setUTCMonth(0);
  return start;
}

/** The whole day, week, month, quarter or year that contains an instant. */
export function periodAt(unit: CalendarUnit, at: Date): { readonly from: Date; readonly until: Date } {
  const from = startOf(unit, at);
  return { from, until: addUnits(from, unit, 1) };
}

/** 0 to 3. */
export function quarterOf(at: Date): number {
  return Math.floor(at.getUTCMonth() / 3);
}

const MONTHS_IN = { month: 1, quarter: 3, year: 12 } as const;

/** Months, quarters and years keep the day of the month, or use the last day of a shorter month. */
export function addUnits(at: Date, unit: Unit, count: number): Date {
  if (unit !== 'month' && unit !== 'quarter' && unit !== 'year') return new Date(at.getTime() + count * FIXED_MS[unit]);
  const moved = new Date(at);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + count * MONTHS_IN[unit]);
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(at.getUTCDate(), lastDay));
  return moved;
}
