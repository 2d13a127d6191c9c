/** The clock and the source of ids are passed in as values, so that decisions are pure and tests are repeatable. */
import type { Timestamp } from '../contract/memory.js';

export type Clock = { readonly now: () => Date };
export type Ids = { readonly uuid: () => string };

export const systemClock: Clock = { now: () => new Date() };
export const randomIds: Ids = { uuid: () => crypto.randomUUID() };

/**
 * `2024-01-01T10:00:00.500000+00:00`; the fraction is left out when it is zero. `microseconds`: 0 to 999, which a date
 * does not have.
 */
export function formatTimestamp(date: Date, microseconds = 0): Timestamp {
  const iso = date.toISOString();
  const fraction = `${iso.slice(-4, -1)}${String(microseconds).padStart(3, '0')}`;
  return `${iso.slice(0, -5)}${fraction === '000000' ? '' : `.${fraction}`}+00:00`;
}

/** The time this many microseconds before, at most a second; `timestamp` has whole milliseconds. */
export function microsecondsBefore(timestamp: Timestamp, microseconds: number): Timestamp {
  const milliseconds = Math.ceil(microseconds / 1_000);
  return formatTimestamp(new Date(Date.parse(timestamp) - milliseconds), milliseconds * 1_000 - microseconds);
}
