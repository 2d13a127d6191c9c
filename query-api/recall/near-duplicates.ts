/**
 * Lets a memory that nearly repeats a better one give way to the next distinct memory, pure. Nearly the same is what one text says
 * wholly in the other's words and order, where the longer adds little: at least 0.8 of their word pairs are shared, and no number,
 * identifier, name or negation stands in one alone. A replaced word makes two statements of them (`the red team`, `the blue team`),
 * whatever the length: texts out of one template differ in just that.
 */
import type { Memory, MemoryId } from '../../shared/contract/memory.js';

const SHARED_PAIRS = 0.8;
/** Fewer words are compared by their fingerprint alone: there every one of them tells. */
const LEAST_WORDS = 5;

type Comparable = { readonly memory: Pick<Memory, 'id' | 'content'>; readonly dedupedFrom: readonly MemoryId[] };

/** The first `limit` distinct results in the given order, each naming those behind it that gave way. What is not needed is not compared. */
export function distinctResults<R extends Comparable>(ordered: readonly R[], limit: number): readonly R[] {
  const kept: { readonly result: R; readonly text: Text; readonly given: MemoryId[] }[] = [];
  const holders = new Map<string, number[]>();
  for (const result of ordered) {
    const text = textOf(result.memory.content);
    const same = sharedPairs(text, holders).find(([index, shared]) => kept[index] && isNearlySame(text, kept[index].text, shared));
    if (same) {
      kept[same[0]]?.given.push(result.memory.id, ...result.dedupedFrom);
    } else if (kept.length < limit) {
      for (const pair of text.pairs) holders.set(pair, [...(holders.get(pair) ?? []), kept.length]);
      kept.push({ result, text, given: [] });
    } else {
      break;
    }
  }
  return kept.map(({ result, given }) => (given.length === 0 ? result : { ...result, dedupedFrom: ids(result, given) }));
}

/** Whether one text says what the other does, and hardly anything else. */
export function areNearDuplicates(one: string, other: string): boolean {
  const [first, second] = [textOf(one), textOf(other)];
  return isNearlySame(first, second, [...first.pairs].filter((pair) => second.pairs.has(pair)).length);
}

/** By their lower case: the words as they are written. */
type Text = { readonly words: ReadonlyMap<string, string>; readonly pairs: ReadonlySet<string> };

/** Signs inside a word make it an identifier and stay. */
const WORD = /[\p{L}\p{N}\p{M}]+(?:[-_./:@#'’+]+[\p{L}\p{N}\p{M}]+)*/gu;
const ARTICLES = new Set(['a', 'an', 'the']);

function textOf(content: string): Text {
  const written = (content.normalize('NFKC').match(WORD) ?? []).filter((word) => !ARTICLES.has(word.toLowerCase()));
  const lower = written.map((word) => word.toLowerCase());
  // A capital at the beginning of the text names nothing; the last spelling of a word is as good as the first.
  const words = new Map(lower.map((word, index) => [word, index === 0 ? word : (written[index] ?? word)]));
  const pairs = lower.length < LEAST_WORDS ? [] : lower.slice(1).map((word, index) => `${lower[index]} ${word}`);
  return { words, pairs: new Set(pairs) };
}

/** How many pairs each kept text that has any of them shares with this one, by its index. */
function sharedPairs(text: Text, holders: ReadonlyMap<string, readonly number[]>): readonly (readonly [number, number])[] {
  const shared = new Map<number, number>();
  for (const pair of text.pairs) {
    for (const index of holders.get(pair) ?? []) shared.set(index, (shared.get(index) ?? 0) + 1);
  }
  return [...shared];
}

function isNearlySame(one: Text, other: Text, shared: number): boolean {
  if (shared === 0 || shared < SHARED_PAIRS * (one.pairs.size + other.pairs.size - shared)) return false;
  const added = [missing(one, other), missing(other, one)];
  return added.some((words) => words.length === 0) && !added.flat().some(isTelling);
}

/** The words of one text that the other does not have, as they are written. */
function missing(from: Text, without: Text): readonly string[] {
  return [...from.words].filter(([word]) => !without.words.has(word)).map(([, written]) => written);
}

/** Stop words among them: the analyzer's terms would not tell `on` from `not on`. */
const TURNS = new Set(
  `no not never none nothing neither nor without cannot unless except only hardly rarely formerly
  nicht kein keine keinen nie ohne ne pas jamais nunca sin non`.split(/\s+/),
);

/** A number, an identifier, a name or a word that turns the meaning. Where a script has no capitals, any word may be a name. */
function isTelling(word: string): boolean {
  return /[\p{N}\p{Lu}\p{Lo}\-_./:@#+]/u.test(word) || TURNS.has(word) || /n['’]t$/u.test(word);
}

function ids(result: Comparable, given: readonly MemoryId[]): readonly MemoryId[] {
  return [...new Set([result.memory.id, ...result.dedupedFrom, ...given])].sort();
}
