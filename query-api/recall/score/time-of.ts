/** The time of a memory in milliseconds, parsed once. The memories of a batch differ by microseconds. */
import type { Memory, Timestamp } from '../../../shared/contract/memory.js';
import { oncePerObject } from '../../../shared/kernel/once-per-object.js';

export const timeOf = oncePerObject(
  ({ timestamp }: Pick<Memory, 'timestamp'>): number => Date.parse(timestamp) + microsecondsOf(timestamp) / 1_000,
);

/** 0 to 999: what a date leaves out. A timestamp without a fraction has its offset at the same position. */
function microsecondsOf(timestamp: Timestamp): number {
  const digits = timestamp.slice(MICROSECONDS_AT, MICROSECONDS_AT + 3);
  return /^\d{3}$/u.test(digits) ? Number(digits) : 0;
}

const MICROSECONDS_AT = '2024-01-01T10:00:00.500'.length;
