/**
 * Lists of postings in one array. Most terms are held by few memories, and an array of its own would cost each of them 200 bytes. A full
 * list moves to a place twice as large; its old place goes to the next list that grows to that size.
 */
import { grown } from './grown.js';

export type PostingLists = {
  /** A new, empty list; they are numbered from 0. */
  readonly open: () => number;
  /** Notes one more occurrence in a slot; the slot is the list's last one, or comes behind it. */
  readonly post: (list: number, slot: number) => void;
  /** Appends postings of slots behind the list's last one. */
  readonly append: (list: number, postings: Uint32Array) => void;
  /** In the order of their slots. Holds until something is added. */
  readonly read: (list: number) => Uint32Array;
};

export function createPostingLists(): PostingLists {
  let array = new Uint32Array(0);
  /** Where nothing has been yet. */
  let end = 0;
  /** By list. A place has room for the next power of two. */
  let places = new Uint32Array(0);
  let lengths = new Uint32Array(0);
  let count = 0;
  /** Left places, by exponent of their size. */
  const left: readonly number[][] = Array.from({ length: 32 }, () => []);

  function placeFor(exponent: number): number {
    const known = left[exponent]?.pop();
    if (known !== undefined) return known;
    const place = end;
    end += 2 ** exponent;
    array = grown(array, end);
    return place;
  }

  function move(list: number, length: number): void {
    const exponent = length === 0 ? -1 : 31 - Math.clz32(length);
    const place = placeFor(exponent + 1);
    const old = places[list] ?? 0;
    array.copyWithin(place, old, old + length);
    left[exponent]?.push(old);
    places[list] = place;
  }

  function append(list: number, posting: number): void {
    const length = lengths[list] ?? 0;
    if (isPowerOfTwo(length)) move(list, length);
    array[(places[list] ?? 0) + length] = posting;
    lengths[list] = length + 1;
  }

  return {
    open: () => {
      places = grown(places, count + 1);
      lengths = grown(lengths, count + 1);
      return count++;
    },
    post: (list, slot) => {
      const length = lengths[list] ?? 0;
      const at = (places[list] ?? 0) + length - 1;
      const last = array[at] ?? 0;
      if (length === 0 || slotOf(last) !== slot) append(list, postingOf(slot, 1));
      else if (countOf(last) < COUNT_LIMIT) array[at] = last + 1;
    },
    append: (list, postings) => postings.forEach((posting) => append(list, posting)),
    read: (list) => {
      const place = places[list] ?? 0;
      return array.subarray(place, place + (lengths[list] ?? 0));
    },
  };
}

/** A slot and how often the term is there; beyond this a further occurrence tells nothing. Leaves room for 268 million slots. */
const COUNT_BITS = 4;
const COUNT_LIMIT = 2 ** COUNT_BITS - 1;

export function postingOf(slot: number, count: number): number {
  return slot * 2 ** COUNT_BITS + count;
}

export function slotOf(posting: number): number {
  return posting >>> COUNT_BITS;
}

export function countOf(posting: number): number {
  return posting & COUNT_LIMIT;
}

/** And 0, at which a list has no place. */
function isPowerOfTwo(length: number): boolean {
  return (length & (length - 1)) === 0;
}
