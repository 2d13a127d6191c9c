/** The clock and the source of ids are passed in as values, so that decisions are pure and tests are repeatable. */
import type { Timestamp } from '../contract/memory.js';

export type Clock = { readonly now: () => Date };
export type Ids = { readonly uuid: () => string };

export const systemClock: Clock = { now: () => new Date() };
export const randomIds: Ids = { uuid: () => crypto.randomUUID() };

/** `2024-01-01T10:00:00.500000+00:00`; the fraction is left out when it is zero. */
export function formatTimestamp(date: Date): Timestamp {
  const iso = date.toISOString();
  const seconds = iso.slice(0, -5);
  const milliseconds = iso.slice(-4, -1);
  return milliseconds === '000' ? `${seconds}+00:00` : `${seconds}.${milliseconds}000+00:00`;
}
