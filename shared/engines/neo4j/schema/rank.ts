/**
 * The order of the memories of a tag as a text property, so that an index scan returns them in order without a sort.
 */
import type { Memory, Timestamp } from '../../../contract/memory.js';

/**
 * Ascending order of this text is importance descending, timestamp descending, id ascending. It consists of the
 * complement of the number's bits in hex, the complement of the timestamp's digits, and the id.
 */
export function rankOf({ importance, timestamp, id }: Pick<Memory, 'importance' | 'timestamp' | 'id'>): string {
  return `${descendingNumber(importance)}|${descendingTime(timestamp)}|${id}`;
}

/** Sorts after the ranks of all memories with at least this importance, and before all others. */
export function rankAfter(importance: number): string {
  return `${descendingNumber(importance)}~`;
}

const NUMBER_DIGITS = 16;
const TIME_DIGITS = 20;
/** The position of the id in a rank. */
export const RANK_ID_FROM = NUMBER_DIGITS + 1 + TIME_DIGITS + 1;
/** The part of a rank that has the timestamp. */
export const RANK_TIME = { from: NUMBER_DIGITS + 1, length: TIME_DIGITS } as const;

/** Doubles from 0 upwards sort like their bits. */
function descendingNumber(number: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.max(0, number));
  return (0xffff_ffff_ffff_ffffn - view.getBigUint64(0)).toString(16).padStart(NUMBER_DIGITS, '0');
}

/** Uses the digits from year to microsecond. Timestamps have one spelling with offset zero. */
function descendingTime(timestamp: string): string {
  const [instant = ''] = timestamp.split('+');
  return instant
    .replace(/\D/gu, '')
    .padEnd(TIME_DIGITS, '0')
    .replace(/\d/gu, (digit) => String(9 - Number(digit)));
}

/** The timestamp of that part of a rank, in the one spelling that the contract has. */
export function timeOfRank(part: string): Timestamp {
  const digits = part.replace(/\d/gu, (digit) => String(9 - Number(digit)));
  const [, year, month, day, hour, minute, second, fraction] = RANKED_TIME.exec(digits) ?? [];
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${Number(fraction) === 0 ? '' : `.${fraction}`}+00:00`;
}

const RANKED_TIME = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{6})$/u;
