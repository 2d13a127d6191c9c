/** The order in which memories of a tag are listed, as text: an index walks it, and no sort is needed. */
import type { Memory } from '../../contract/memory.js';

/**
 * Ascending, this text is importance descending, timestamp descending, id ascending: the complements of the number's bits in hex and of
 * the timestamp's digits, then the id.
 */
export function rankOf({ importance, timestamp, id }: Pick<Memory, 'importance' | 'timestamp' | 'id'>): string {
  return `${descendingNumber(importance)}|${descendingTime(timestamp)}|${id}`;
}

const NUMBER_DIGITS = 16;
const TIME_DIGITS = 20;
/** Where the id begins in a rank. */
export const RANK_ID_FROM = NUMBER_DIGITS + 1 + TIME_DIGITS + 1;

/** Doubles that are not negative sort as their bits do. */
function descendingNumber(number: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.max(0, number));
  return (0xffff_ffff_ffff_ffffn - view.getBigUint64(0)).toString(16).padStart(NUMBER_DIGITS, '0');
}

/** Year to microsecond of the one spelling of timestamps, whose offset is always zero. */
function descendingTime(timestamp: string): string {
  const [instant = ''] = timestamp.split('+');
  return instant
    .replace(/\D/gu, '')
    .padEnd(TIME_DIGITS, '0')
    .replace(/\d/gu, (digit) => String(9 - Number(digit)));
}
