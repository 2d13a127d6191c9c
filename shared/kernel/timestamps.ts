/**
 * Reads the timestamps that callers send. Accepts the forms that Python 3.11's `fromisoformat` accepts, except its most
 * unusual ones, because the clients of this contract were written for it. The result is UTC in the one form of the
 * contract, exact to the microsecond.
 */
import type { Timestamp } from '../contract/memory.js';

const DATE =
  /^(?<year>\d{4})(?:-(?<month>\d\d)-(?<day>\d\d)|(?<month2>\d\d)(?<day2>\d\d)|-W(?<week>\d\d)(?:-(?<weekday>\d))?|W(?<week2>\d\d)(?<weekday2>\d)?)/u;
/** Hours, then minutes and seconds with or without colons (one time uses all or none), then a fraction. Five groups. */
const clock = (colon: string): string =>
  `(\\d\\d)(?:(?<${colon}>:?)(\\d\\d)(?:\\k<${colon}>(\\d\\d))?)?(?:[.,](\\d+))?`;
/** A time, optionally with an offset. Python allows any single character before an offset; a blank is common. */
const TIME = new RegExp(`^${clock('colon')}(?:[^\\d+\\-Z]?(?:(Z)|([+-])${clock('offsetColon')}))?$`, 'u');

const SECONDS_A_DAY = 86_400;
const DAYS_A_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** An instant or a duration. Seconds and microseconds are separate numbers, because their sum does not fit a double. */
type Span = { readonly seconds: number; readonly micros: number };

/**
 * Null when the text is no timestamp, or when its time in UTC is outside the years 1 to 9999. Text without an offset is
 * UTC.
 */
export function parseTimestamp(text: string): Timestamp | null {
  const trimmed = text.trim();
  for (const length of [10, 8, 7]) {
    const days = parseDate(trimmed.slice(0, length), length);
    if (days === null) continue;
    const time = parseRest(trimmed.slice(length));
    if (time) return format({ seconds: days * SECONDS_A_DAY + time.seconds, micros: time.micros });
  }
  return null;
}

/** Days since 0001-01-01. Null when the whole text is not a date, or when the day does not exist. */
function parseDate(text: string, length: number): number | null {
  const match = DATE.exec(text);
  if (!match?.groups || match[0].length !== length) return null;
  const { year, month, month2, day, day2, week, week2, weekday, weekday2 } = match.groups;
  const inYear = Number(year);
  if (inYear < 1) return null;
  const isoWeek = week ?? week2;
  if (isoWeek !== undefined) return dayOfWeek(inYear, Number(isoWeek), Number(weekday ?? weekday2 ?? 1));
  return dayOfMonth(inYear, Number(month ?? month2), Number(day ?? day2));
}

function dayOfMonth(year: number, month: number, day: number): number | null {
  const days = (DAYS_A_MONTH[month - 1] ?? 0) + (month === 2 && isLeap(year) ? 1 : 0);
  if (day < 1 || day > days) return null;
  const before = DAYS_A_MONTH.slice(0, month - 1).reduce<number>((sum, length) => sum + length, 0);
  return daysBefore(year) + before + (month > 2 && isLeap(year) ? 1 : 0) + day - 1;
}

function dayOfWeek(year: number, week: number, weekday: number): number | null {
  const monday = firstMonday(year);
  const weeks = (firstMonday(year + 1) - monday) / 7;
  if (week < 1 || week > weeks || weekday < 1 || weekday > 7) return null;
  return monday + (week - 1) * 7 + weekday - 1;
}

/** The Monday of the year's first ISO week: the one that holds 4 January. Day 0, 0001-01-01, was a Monday. */
function firstMonday(year: number): number {
  const fourth = daysBefore(year) + 3;
  return fourth - (fourth % 7);
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function daysBefore(year: number): number {
  const past = year - 1;
  return past * 365 + Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400);
}

/**
 * Reads the text after the date: nothing, or one separator and a time. A digit is no separator: it belongs to a misread
 * date.
 */
function parseRest(rest: string): Span | null {
  if (rest === '') return { seconds: 0, micros: 0 };
  const [separator = '', ...characters] = rest;
  const match = TIME.exec(characters.join(''));
  if (!match || /\d/u.test(separator)) return null;
  const [, hours, , minutes, seconds] = match;
  if (Number(hours) > 23 || Number(minutes ?? 0) > 59 || Number(seconds ?? 0) > 59) return null;
  const time = spanOf(match.slice(1, 6));
  const offset = spanOf(match.slice(8, 13));
  if (offset.seconds >= SECONDS_A_DAY) return null;
  const sign = match[7] === '-' ? -1 : 1;
  return carry({ seconds: time.seconds - sign * offset.seconds, micros: time.micros - sign * offset.micros });
}

/** The span of the five groups of a clock. Digits of the fraction after the sixth are cut off. */
function spanOf([hours, , minutes, seconds, fraction]: readonly (string | undefined)[]): Span {
  return {
    seconds: Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0),
    micros: Number((fraction ?? '').slice(0, 6).padEnd(6, '0')),
  };
}

function carry({ seconds, micros }: Span): Span {
  if (micros < 0) return { seconds: seconds - 1, micros: micros + 1_000_000 };
  return micros >= 1_000_000 ? { seconds: seconds + 1, micros: micros - 1_000_000 } : { seconds, micros };
}

/** Formats the time since 0001-01-01T00:00:00. Null outside the years 1 to 9999. */
function format({ seconds, micros }: Span): Timestamp | null {
  const instant = new Date(Date.UTC(2000, 0, 1) + (seconds - daysBefore(2000) * SECONDS_A_DAY) * 1000);
  const year = instant.getUTCFullYear();
  if (year < 1 || year > 9999) return null;
  const whole = instant.toISOString().slice(0, 19);
  return micros === 0 ? `${whole}+00:00` : `${whole}.${String(micros).padStart(6, '0')}+00:00`;
}
