/**
 * Reads a time window from words, for example `last 7 days` or `between 2024-01-01 and march 2024`. In UTC; the caller
 * passes the current time.
 */
import type { Timestamp } from '../../../shared/contract/memory.js';
import { formatTimestamp } from '../../../shared/kernel/clock.js';
import type { Span } from './calendar.js';
import { readPhrase } from './time-phrases.js';

export type TimeWindow = { readonly start: Timestamp | null; readonly end: Timestamp | null };

/** The first and the last time that the contract's timestamps can express. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** Null when the text names no window. Ignores case and extra blanks. */
export function readTimeWindow(text: string, now: Date): TimeWindow | null {
  const phrase = normalizePhrase(text);
  const span = readHalfOpen(phrase, now) ?? readBetween(phrase, now) ?? readPhrase(withoutPreposition(phrase), now);
  return span && isUsable(span) ? { start: formatBound(span.from), end: formatBound(span.until) } : null;
}

/** `since x`, `after x`, `until x`, `before x`, `from x on`, where x is any phrase. */
function readHalfOpen(phrase: string, now: Date): Span | null {
  const match = /^(since|after|on or after|before|until|till|up to|on or before) (.+)$/u.exec(
    phrase.replace(/^from (.+) on(?:wards?)?$/u, 'since $1'),
  );
  const span = match && readPhrase(withoutPreposition(match[2] ?? ''), now);
  if (!match || !span) return null;
  switch (match[1]) {
    case 'since':
    case 'on or after':
      return { from: span.from, until: null };
    case 'after':
      return { from: span.until, until: null };
    case 'before':
      return { from: null, until: span.from };
    default:
      return { from: null, until: span.until };
  }
}

/** `between x and y`, `from x to y`, `x - y`. */
function readBetween(phrase: string, now: Date): Span | null {
  const [start, end] = /^between (.+) and (.+)$/u.exec(phrase)?.slice(1) ?? splitAtRange(phrase.replace(/^from /u, ''));
  const first = start && readPhrase(withoutPreposition(start), now);
  const last = end && readPhrase(withoutPreposition(end), now);
  return first && last ? { from: first.from, until: last.until } : null;
}

/** The texts around the first sign of a range; none where there is no such sign. */
function splitAtRange(phrase: string): readonly string[] {
  const sign = / (?:to|until|till|through|-|–) |\.\./u.exec(phrase);
  return sign ? [phrase.slice(0, sign.index), phrase.slice(sign.index + sign[0].length)] : [];
}

function withoutPreposition(phrase: string): string {
  return phrase.replace(/^(?:in|on|during|over|within) /u, '').replace(/^the /u, '');
}

function isUsable({ from, until }: Span): boolean {
  const times = [from, until].flatMap((bound) => (bound === null ? [] : [bound.getTime()]));
  return times.every((time) => time >= EARLIEST && time <= LATEST) && !(from && until && from > until);
}

function formatBound(bound: Date | null): Timestamp | null {
  return bound === null ? null : formatTimestamp(bound);
}

const UNITS: Readonly<Record<string, string>> = {
  min: 'minutes',
  mins: 'minutes',
  h: 'hours',
  hr: 'hours',
  hrs: 'hours',
  d: 'days',
  w: 'weeks',
  wk: 'weeks',
  wks: 'weeks',
  y: 'years',
  yr: 'years',
  yrs: 'years',
};

/**
 * One spelling for the many that people use: lower case, single blanks, whole units (`24h` becomes `24 hours`; `m`
 * stays, because it may mean minutes or months), `2024/03/05` as `2024-03-05`.
 */
function normalizePhrase(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .replace(
      /\b(\d+) ?(mins?|[hdwy]|hrs?|wks?|yrs?)\b/gu,
      (_, count: string, unit: string) => `${count} ${UNITS[unit]}`,
    )
    .replace(/\b(?:a )?couple (?:of )?/gu, 'two ')
    .replace(/\b(\d{4})\/(\d\d)\/(\d\d)\b/gu, '$1-$2-$3');
}
