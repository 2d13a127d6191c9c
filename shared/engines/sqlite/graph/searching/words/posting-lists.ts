/**
 * Lists of postings in one shared array. Most terms occur in few memories, and a separate array would cost each of them
 * 200 bytes. A full list moves to a block twice as large; its old block goes to the next list that grows to that size.
 */

export type PostingLists = {
  /** Returns the number of a new, empty list. Numbers start at 0. */
  readonly open: () => number;
  /** Counts one more occurrence in a slot, which is the last slot of the list or higher. */
  readonly post: (list: number, slot: number) => void;
  /** Appends postings of slots that are higher than the last slot of the list. */
  readonly append: (list: number, postings: Uint32Array) => void;
  /** In the order of their slots. The view is valid until the next addition. */
  readonly read: (list: number) => Uint32Array;
};

export function createPostingLists(): PostingLists {
  let array = new Uint32Array(0);
  /** The first index that no block has used yet. */
  let end = 0;
  /** The start of each list's block. A block has room for the next power of two. */
  let blockStarts = new Uint32Array(0);
  let lengths = new Uint32Array(0);
  let count = 0;
  /** Free blocks by exponent of their size. */
  const freeBlocks: readonly number[][] = Array.from({ length: 32 }, () => []);

  function takeBlock(exponent: number): number {
    const known = freeBlocks[exponent]?.pop();
    if (known !== undefined) return known;
    const start = end;
    end += 2 ** exponent;
    array = ensureCapacity(array, end);
    return start;
  }

  function move(list: number, length: number): void {
    const exponent = length === 0 ? -1 : 31 - Math.clz32(length);
    const start = takeBlock(exponent + 1);
    const old = blockStarts[list] ?? 0;
    array.copyWithin(start, old, old + length);
    freeBlocks[exponent]?.push(old);
    blockStarts[list] = start;
  }

  function append(list: number, posting: number): void {
    const length = lengths[list] ?? 0;
    if (isPowerOfTwo(length)) move(list, length);
    array[(blockStarts[list] ?? 0) + length] = posting;
    lengths[list] = length + 1;
  }

  return {
    open: () => {
      blockStarts = ensureCapacity(blockStarts, count + 1);
      lengths = ensureCapacity(lengths, count + 1);
      return count++;
    },
    post: (list, slot) => {
      const length = lengths[list] ?? 0;
      const at = (blockStarts[list] ?? 0) + length - 1;
      const last = array[at] ?? 0;
      if (length === 0 || slotOf(last) !== slot) append(list, postingOf(slot, 1));
      else if (countOf(last) < COUNT_LIMIT) array[at] = last + 1;
    },
    append: (list, postings) => postings.forEach((posting) => append(list, posting)),
    read: (list) => {
      const start = blockStarts[list] ?? 0;
      return array.subarray(start, start + (lengths[list] ?? 0));
    },
  };
}

/**
 * A posting is a slot and the number of occurrences of the term in it. More than COUNT_LIMIT occurrences hardly change
 * a score. The other bits leave room for 268 million slots.
 */
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

/** Also true for 0, the length of a list without a block. */
function isPowerOfTwo(length: number): boolean {
  return (length & (length - 1)) === 0;
}

/** An array of at least this length: the same array, or a larger copy with spare room. */
export function ensureCapacity(values: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  if (length <= values.length) return values;
  const larger = new Uint32Array(Math.max(1_024, length, Math.ceil(values.length * 1.5)));
  larger.set(values);
  return larger;
}
