/**
 * The inverted index of one field (content or tags): the slots that hold each word, and the number of words in each
 * slot.
 */
import { countOf, createPostingLists, ensureCapacity, type PostingLists, postingOf, slotOf } from './posting-lists.js';

export type WordField = {
  /** `words` are separated by blanks. The slot is new and higher than all slots before. */
  readonly add: (slot: number, words: string) => void;
  /** Sets the length of the slot to 0; its postings stay. */
  readonly remove: (slot: number) => void;
  /** In the order of their slots, including removed slots. */
  readonly postings: (term: string) => Uint32Array;
  /** Number of words by slot. */
  readonly lengths: () => Uint32Array;
  /** The number of slots with words, and their average number of words. */
  readonly size: () => { readonly slots: number; readonly averageLength: number };
  /** A copy in which each slot has its new number. New numbers keep the order of the slots; GONE removes a slot. */
  readonly renumbered: (numbers: Uint32Array) => WordField;
};

export function createWordField(): WordField {
  return over({ vocabulary: new Map(), lists: createPostingLists(), lengths: new Uint32Array(0) });
}

type Parts = {
  readonly vocabulary: Map<string, number>;
  readonly lists: PostingLists;
  readonly lengths: Uint32Array<ArrayBuffer>;
};

function over({ vocabulary, lists, lengths: given }: Parts): WordField {
  let lengths = given;
  let filled = lengths.reduce((sum, length) => sum + Math.sign(length), 0);
  let words = lengths.reduce((sum, length) => sum + length, 0);

  function listOf(term: string): number {
    const known = vocabulary.get(term);
    if (known !== undefined) return known;
    const list = lists.open();
    vocabulary.set(ownText(term), list);
    return list;
  }

  return {
    add: (slot, text) => {
      const terms = text === '' ? [] : text.split(' ');
      for (const term of terms) lists.post(listOf(term), slot);
      lengths = ensureCapacity(lengths, slot + 1);
      lengths[slot] = terms.length;
      filled += Math.sign(terms.length);
      words += terms.length;
    },
    remove: (slot) => {
      const length = lengths[slot] ?? 0;
      filled -= Math.sign(length);
      words -= length;
      lengths[slot] = 0;
    },
    postings: (term) => {
      const list = vocabulary.get(term);
      return list === undefined ? NONE : lists.read(list);
    },
    lengths: () => lengths,
    size: () => ({ slots: filled, averageLength: filled === 0 ? 0 : words / filled }),
    renumbered: (numbers) => over(renumber({ vocabulary, lists, lengths }, numbers)),
  };
}

function renumber({ vocabulary, lists, lengths }: Parts, numbers: Uint32Array): Parts {
  const copy = {
    vocabulary: new Map<string, number>(),
    lists: createPostingLists(),
    lengths: new Uint32Array(numbers.length),
  };
  numbers.forEach((number, slot) => {
    if (number !== GONE) copy.lengths[number] = lengths[slot] ?? 0;
  });
  for (const [term, list] of vocabulary) {
    const kept = lists.read(list).filter((posting) => numbers[slotOf(posting)] !== GONE);
    if (kept.length === 0) continue;
    const opened = copy.lists.open();
    copy.vocabulary.set(term, opened);
    copy.lists.append(
      opened,
      kept.map((posting) => postingOf(numbers[slotOf(posting)] ?? GONE, countOf(posting))),
    );
  }
  return copy;
}

/** Instead of a new number: the slot is removed. */
export const GONE = 0xffff_ffff;

const NONE = new Uint32Array(0);
/** V8 represents a substring of at least this length as a slice, which keeps the whole text in memory. */
const SLICED_LENGTH = 13;

function ownText(term: string): string {
  return term.length < SLICED_LENGTH ? term : Buffer.from(term).toString();
}
