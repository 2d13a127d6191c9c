/**
 * The words of all memories, in the memory of the thread that searches them. Each time a memory is written it takes a new slot, and the
 * old one is dead, so that postings are only ever appended; when most slots are dead those that live move together.
 */
import { grown } from './grown.js';
import { createWordField, GONE, type WordField } from './word-field.js';

/** A row of `memory_words`. One without words is a memory that was forgotten. */
export type Words = { readonly change: number; readonly n: number; readonly content: string; readonly tags: string };

export type WordIndex = {
  /** The newest change that it shows; 0 without any. */
  readonly change: () => number;
  /** Makes it show a newer change. */
  readonly show: (words: Words) => void;
  readonly content: () => WordField;
  readonly tags: () => WordField;
  /** By slot: the row number of its memory; 0 where it is dead. */
  readonly rows: () => Uint32Array;
  /** The slot in which the memory with this row number lives, if any. */
  readonly slotOfRow: (n: number) => number | undefined;
};

/** Fewer dead slots are not worth the moving: 100,000 memories move in 0.1 s. */
const DEAD_LIMIT = 10_000;

export function createWordIndex(deadLimit = DEAD_LIMIT): WordIndex {
  let change = 0;
  let content = createWordField();
  let tags = createWordField();
  let rows = new Uint32Array(0);
  let slots = 0;
  let living = 0;
  /** By row number: one more than the slot, 0 for none. */
  let places = new Uint32Array(0);

  function forget(n: number): void {
    const place = places[n] ?? 0;
    if (place === 0) return;
    content.forget(place - 1);
    tags.forget(place - 1);
    rows[place - 1] = 0;
    places[n] = 0;
    living -= 1;
  }

  function moveTogether(): void {
    let next = 0;
    const numbers = rows.subarray(0, slots).map((n) => (n === 0 ? GONE : next++));
    content = content.renumbered(numbers);
    tags = tags.renumbered(numbers);
    rows = rows.filter((n) => n !== 0);
    rows.forEach((n, slot) => (places[n] = slot + 1));
    slots = living;
  }

  return {
    change: () => change,
    show: (words) => {
      forget(words.n);
      change = words.change;
      if (words.content === '' && words.tags === '') return;
      content.add(slots, words.content);
      tags.add(slots, words.tags);
      rows = grown(rows, slots + 1);
      rows[slots] = words.n;
      places = grown(places, words.n + 1);
      places[words.n] = slots + 1;
      slots += 1;
      living += 1;
      if (slots - living > Math.max(deadLimit, living)) moveTogether();
    },
    content: () => content,
    tags: () => tags,
    rows: () => rows.subarray(0, slots),
    slotOfRow: (n) => {
      const place = places[n] ?? 0;
      return place === 0 ? undefined : place - 1;
    },
  };
}
