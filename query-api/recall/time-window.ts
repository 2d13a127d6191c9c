/** Reads a time window out of words such as `last 7 days` or `between 2024-01-01 and march 2024`. All in UTC; the present is handed in. */
import type { Timestamp } from '../../shared/contract/memory.js';
import { formatTimestamp } from '../../shared/kernel/clock.js';
import type { Span } from './calendar.js';
import { plainPhrase } from './plain-phrase.js';
import { readPhrase } from './time-phrases.js';

export type TimeWindow = { readonly start: Timestamp | null; readonly end: Timestamp | null };

/** The bounds that the contract's timestamps can spell. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** The window that the text names, or null when it cannot be read. Case and blanks do not matter. */
export function readTimeWindow(text: string, now: Date): TimeWindow | null {
  const phrase = plainPhrase(text);
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
  const match =
    /^between (.+) and (.+)$/u.exec(phrase) ??
    /^(?:from )?(.+?)(?: (?:to|until|till|through|-|–) |\.\.)(.+)$/u.exec(phrase);
  const first = match && readPhrase(withoutPreposition(match[1] ?? ''), now);
  const last = match && readPhrase(withoutPreposition(match[2] ?? ''), now);
  return first && last ? { from: first.from, until: last.until } : null;
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
