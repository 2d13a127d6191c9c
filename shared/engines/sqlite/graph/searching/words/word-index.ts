/**
 * An inverted index of the words of all memories, kept by the thread that searches them. Each write of a memory takes a
 * new slot and makes its old slot dead, so postings are only appended. When most slots are dead, the index is
 * compacted.
 */
import { ensureCapacity } from './posting-lists.js';
import { createSlotFeatures, type Features, type SlotFeatures } from './slot-features.js';
import { createWordField, GONE, type WordField } from './word-field.js';

/** A row of `memory_words`. A row without words is a deleted memory. */
export type Words = Features & {
  readonly change: number;
  readonly n: number;
  readonly content: string;
  readonly tags: string;
  /** The change that wrote the words; 0 for the change of the row itself. */
  readonly words_change: number;
};

export type WordIndex = {
  /** The number of the newest change in the index; 0 before the first one. */
  readonly change: () => number;
  /** Applies a newer change. */
  readonly apply: (words: Words) => void;
  readonly content: () => WordField;
  readonly tags: () => WordField;
  readonly features: () => SlotFeatures;
  /** By slot: the row number of its memory; 0 for a dead slot. */
  readonly rows: () => Uint32Array;
  /** The live slot of the memory with this row number, if any. */
  readonly slotOfRow: (n: number) => number | undefined;
};

/** Dead slots up to this number are not worth a compaction, which takes 0.1 s for 100,000 memories. */
const DEAD_LIMIT = 10_000;

export function createWordIndex(deadLimit = DEAD_LIMIT): WordIndex {
  let change = 0;
  let content = createWordField();
  let tags = createWordField();
  let rows = new Uint32Array(0);
  let slots = 0;
  let liveCount = 0;
  /** By row number: the slot plus 1; 0 for no slot. */
  let slotByRow = new Uint32Array(0);
  let features = createSlotFeatures();
  /** By slot: the change that wrote its words. */
  let wordsChanges = new Float64Array(0);

  function removeRow(n: number): void {
    const slotPlusOne = slotByRow[n] ?? 0;
    if (slotPlusOne === 0) return;
    content.remove(slotPlusOne - 1);
    tags.remove(slotPlusOne - 1);
    rows[slotPlusOne - 1] = 0;
    features.clear(slotPlusOne - 1);
    slotByRow[n] = 0;
    liveCount -= 1;
  }

  function compact(): void {
    let next = 0;
    const numbers = rows.subarray(0, slots).map((n) => (n === 0 ? GONE : next++));
    content = content.renumbered(numbers);
    tags = tags.renumbered(numbers);
    features = features.renumbered((slot) => numberAt(numbers, slot));
    wordsChanges = wordsChanges.subarray(0, slots).filter((_, slot) => rows[slot] !== 0);
    rows = rows.filter((n) => n !== 0);
    rows.forEach((n, slot) => (slotByRow[n] = slot + 1));
    slots = liveCount;
  }

  return {
    change: () => change,
    apply: (words) => {
      change = words.change;
      const wordsChange = words.words_change === 0 ? words.change : words.words_change;
      const known = (slotByRow[words.n] ?? 0) - 1;
      if (known >= 0 && wordsChanges[known] === wordsChange) return features.set(known, words);
      removeRow(words.n);
      if (words.content === '' && words.tags === '') return;
      content.add(slots, words.content);
      tags.add(slots, words.tags);
      rows = ensureCapacity(rows, slots + 1);
      rows[slots] = words.n;
      features.set(slots, words);
      if (slots >= wordsChanges.length) wordsChanges = enlarged(wordsChanges, slots + 1);
      wordsChanges[slots] = wordsChange;
      slotByRow = ensureCapacity(slotByRow, words.n + 1);
      slotByRow[words.n] = slots + 1;
      slots += 1;
      liveCount += 1;
      if (slots - liveCount > Math.max(deadLimit, liveCount)) compact();
    },
    content: () => content,
    tags: () => tags,
    features: () => features,
    rows: () => rows.subarray(0, slots),
    slotOfRow: (n) => {
      const slotPlusOne = slotByRow[n] ?? 0;
      return slotPlusOne === 0 ? undefined : slotPlusOne - 1;
    },
  };
}

/** Null for a slot that is removed. */
function numberAt(numbers: Uint32Array, slot: number): number | null {
  const number = numbers[slot] ?? GONE;
  return number === GONE ? null : number;
}

function enlarged(values: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(Math.max(1_024, length, Math.ceil(values.length * 1.5)));
  larger.set(values);
  return larger;
}
