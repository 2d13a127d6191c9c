/**
 * Reads phrases that name one period or instant: `yesterday`, `last 3 weeks`, `march 2024`, `2024-03-05`. Each reader
 * reads one kind of phrase.
 */
import { parseTimestamp } from '../../../shared/kernel/timestamps.js';
import {
  addUnits,
  type CalendarUnit,
  MONTHS,
  periodAt,
  quarterOf,
  type Span,
  startOf,
  type Unit,
  WEEKDAYS,
} from './calendar.js';

type Reader = (phrase: string, now: Date) => Span | null;

/** Null for a phrase that no reader understands. The phrase must be in lower case with single blanks. */
export function readPhrase(phrase: string, now: Date): Span | null {
  for (const read of [day, calendarPeriod, weekend, recent, ago, weekday, month, quarter, dayOfMonth, date]) {
    const span = read(phrase, now);
    if (span) return span;
  }
  return null;
}

const day: Reader = (phrase, now) => {
  if (phrase === 'today' || phrase === 'this day') return periodAt('day', now);
  if (phrase === 'yesterday') return periodAt('day', addUnits(now, 'day', -1));
  if (phrase === 'day before yesterday') return periodAt('day', addUnits(now, 'day', -2));
  if (phrase === 'tomorrow') return periodAt('day', addUnits(now, 'day', 1));
  return phrase === 'now' ? { from: now, until: now } : null;
};

/** How many periods after the current one. */
const PERIODS_AHEAD: Readonly<Record<string, number>> = {
  this: 0,
  current: 0,
  next: 1,
  last: -1,
  past: -1,
  previous: -1,
};

/** `this week`; `last week` is the calendar week before this one. */
const calendarPeriod: Reader = (phrase, now) => {
  const match = /^(this|current|next|last|past|previous) (week|month|quarter|year)$/u.exec(phrase);
  if (!match) return null;
  const unit = match[2] as CalendarUnit;
  return periodAt(unit, addUnits(startOf(unit, now), unit, PERIODS_AHEAD[match[1] ?? ''] ?? 0));
};

/** Saturday and Sunday of this week, or of the one before. */
const weekend: Reader = (phrase, now) => {
  const match = /^(this|next|last|past|previous) weekend$/u.exec(phrase);
  if (!match) return null;
  const { from, until } = periodAt('week', addUnits(now, 'week', PERIODS_AHEAD[match[1] ?? ''] ?? 0));
  return { from: addUnits(from, 'day', 5), until };
};

/** `last 7 days`, `past hour`: ends now. */
const recent: Reader = (phrase, now) => {
  const match = /^(?:last|past|previous) (?:(\S+) )?(minute|hour|day|week|month|quarter|year)s?$/u.exec(phrase);
  const count = match && parseCount(match[1] ?? 'one');
  return match && count ? { from: addUnits(now, match[2] as Unit, -count), until: now } : null;
};

/**
 * `3 days ago` is that whole day; weeks, months, quarters and years likewise. Hours and minutes ago are the time since
 * then.
 */
const ago: Reader = (phrase, now) => {
  const match = /^(\S+) (minute|hour|day|week|month|quarter|year)s? ago$/u.exec(phrase);
  const count = match && parseCount(match[1] ?? '');
  if (!match || !count) return null;
  const unit = match[2] as Unit;
  const then = addUnits(now, unit, -count);
  return unit === 'minute' || unit === 'hour' ? { from: then, until: now } : periodAt(unit, then);
};

/** `monday` is the latest one that has begun, `last monday` the latest before today. */
const weekday: Reader = (phrase, now) => {
  const match = /^(?:(last|past|this) )?([a-z]+)$/u.exec(phrase);
  const wanted = match ? WEEKDAYS.indexOf(match[2] ?? '') : -1;
  if (!match || wanted < 0) return null;
  const daysBack = (now.getUTCDay() - wanted + 7) % 7;
  return periodAt('day', addUnits(now, 'day', -(isPast(match[1]) && daysBack === 0 ? 7 : daysBack)));
};

/** `march` is the latest one that has begun, `last march` the latest before this month; `march 2024`. */
const month: Reader = (phrase, now) => {
  const match = /^(?:(last|past|this) )?([a-z]+)(?: (\d{4}))?$/u.exec(phrase);
  const wanted = match ? monthOf(match[2]) : -1;
  if (!match || wanted < 0) return null;
  if (match[3]) return periodAt('month', new Date(`${match[3]}-${twoDigits(wanted + 1)}-01T00:00:00Z`));
  const monthsBack = (now.getUTCMonth() - wanted + 12) % 12;
  return periodAt(
    'month',
    addUnits(startOf('month', now), 'month', -(isPast(match[1]) && monthsBack === 0 ? 12 : monthsBack)),
  );
};

/**
 * `q3`, `last q3`, `q3 2024`, `2024-q3`, `third quarter of 2024`. Without a year the latest one that has begun; `last
 * q3` is the latest before this quarter.
 */
const quarter: Reader = (phrase, now) => {
  const named = namedQuarter(phrase);
  if (!named) return null;
  const { index, year, isLast } = named;
  if (year !== null) return periodAt('quarter', new Date(`${year}-${twoDigits(index * 3 + 1)}-01T00:00:00Z`));
  const back = (quarterOf(now) - index + 4) % 4;
  return periodAt('quarter', addUnits(startOf('quarter', now), 'quarter', -(isLast && back === 0 ? 4 : back)));
};

/** `march 5`, `5th march 2024`, `march 5, 2024`; without a year the latest one that has begun. */
const dayOfMonth: Reader = (phrase, now) => {
  const match =
    /^(?:([a-z]+) (\d{1,2})(?:st|nd|rd|th)?|(\d{1,2})(?:st|nd|rd|th)?(?: of)? ([a-z]+))(?:,? (\d{4}))?$/u.exec(phrase);
  const wanted = match ? monthOf(match[1] ?? match[4]) : -1;
  if (!match || wanted < 0) return null;
  const inYear = (year: number) =>
    date(`${String(year).padStart(4, '0')}-${twoDigits(wanted + 1)}-${twoDigits(match[2] ?? match[3] ?? '')}`, now);
  if (match[5]) return inYear(Number(match[5]));
  const thisYear = inYear(now.getUTCFullYear());
  return thisYear?.from && thisYear.from <= now ? thisYear : inYear(now.getUTCFullYear() - 1);
};

/** `2024`, `2024-03` and `2024-03-05` name a period; with a time of day it is an instant. */
const date: Reader = (phrase) => {
  if (/^\d{4}$/u.test(phrase)) return periodAt('year', new Date(`${phrase}-01-01T00:00:00Z`));
  const iso = parseTimestamp(/^\d{4}-\d\d$/u.test(phrase) ? `${phrase}-01` : phrase.toUpperCase());
  if (iso === null) return null;
  const at = new Date(iso);
  if (/[t:]|\d \d/u.test(phrase)) return { from: at, until: at };
  return periodAt(/^\d{4}-\d\d$/u.test(phrase) ? 'month' : 'day', at);
};

const ORDINALS = ['first', 'second', 'third', 'fourth'];

type NamedQuarter = { /** 0 to 3. */ readonly index: number; readonly year: string | null; readonly isLast: boolean };

function namedQuarter(phrase: string): NamedQuarter | null {
  const yearFirst = /^(\d{4})[ /-]?(q[1-4])$/u.exec(phrase);
  const match =
    /^(?:(last|past|this) )?(?:q([1-4])|(?:(first|second|third|fourth)|([1-4])(?:st|nd|rd|th)) quarter)(?:(?: of|,)? (\d{4})|[/-](\d{4}))?$/u.exec(
      yearFirst ? `${yearFirst[2]} ${yearFirst[1]}` : phrase,
    );
  if (!match) return null;
  const [, which, short, ordinal, digit, year, joinedYear] = match;
  const index = ordinal === undefined ? Number(short ?? digit) - 1 : ORDINALS.indexOf(ordinal);
  return { index, year: year ?? joinedYear ?? null, isLast: isPast(which) };
}

/** -1 for no month. Three letters are enough. */
function monthOf(name: string | undefined): number {
  const short = name === 'sept' ? 'sep' : name;
  return MONTHS.findIndex((month) => month === name || month.slice(0, 3) === short);
}

function isPast(word: string | undefined): boolean {
  return word === 'last' || word === 'past';
}

function twoDigits(value: number | string): string {
  return String(value).padStart(2, '0');
}

const WORDS = [
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
  'twenty',
];
const COUNTS: ReadonlyMap<string, number> = new Map([
  ...WORDS.map((word, index) => [word, index + 1] as const),
  ['a', 1],
  ['an', 1],
  ['thirty', 30],
  ['forty', 40],
  ['fifty', 50],
  ['sixty', 60],
  ['ninety', 90],
]);

/**
 * Reads small numbers as people write them, pure: `3`, `three`, `a`, `ninety`. Null for a text that is not a positive
 * whole number.
 */
function parseCount(text: string): number | null {
  return COUNTS.get(text) ?? (/^[1-9]\d{0,5}$/u.test(text) ? Number(text) : null);
}
