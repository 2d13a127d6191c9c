/**
 * Lets a memory that nearly repeats a better one give way to the next distinct memory, pure. Nearly the same is what one text says
 * wholly in the other's words and order, where the longer adds little: at least 0.8 of their word pairs are shared, and both have the
 * same numbers, identifiers, names and negations in the same order. A replaced word makes two statements of them (`the red team`, `the blue team`),
 * whatever the length: texts out of one template differ in just that.
 */
import type { Memory, MemoryId } from '../../shared/contract/memory.js';

const SHARED_PAIRS = 0.8;
/** Fewer words are compared by their fingerprint alone: there every one of them tells. */
const LEAST_WORDS = 5;
/** Longer texts are compared by their fingerprint alone, too: twice what a memory holds by default. The time is the reader's. */
const MOST_CHARACTERS = 4_000;

type Comparable = { readonly memory: Pick<Memory, 'id' | 'content'>; readonly dedupedFrom: readonly MemoryId[] };

/** The first `limit` distinct results in the given order, each naming those behind it that gave way. What is not needed is not compared. */
export function distinctResults<R extends Comparable>(ordered: readonly R[], limit: number): readonly R[] {
  const kept: { readonly result: R; readonly text: Text; readonly given: MemoryId[] }[] = [];
  const holders = new Map<string, number[]>();
  for (const result of ordered) {
    const text = textOf(result.memory.content);
    const same = firstAlike(
      text,
      kept.map((one) => one.text),
      holders,
    );
    if (same !== null) {
      kept[same]?.given.push(result.memory.id, ...result.dedupedFrom);
    } else if (kept.length < limit) {
      for (const pair of text.pairs) addTo(holders, pair, kept.length);
      kept.push({ result, text, given: [] });
    } else {
      break;
    }
  }
  return kept.map(({ result, given }) =>
    given.length === 0 ? result : { ...result, dedupedFrom: ids(result, given) },
  );
}

/** Whether one text says what the other does, and hardly anything else. */
export function areNearDuplicates(one: string, other: string): boolean {
  const [first, second] = [textOf(one), textOf(other)];
  return isNearlySame(first, second, [...first.pairs].filter((pair) => second.pairs.has(pair)).length);
}

/** All but `telling` in lower case. No pairs where the words are too few or the text too long. */
type Text = {
  readonly words: ReadonlySet<string>;
  readonly pairs: ReadonlySet<string>;
  /** In their order. */ readonly telling: string;
};

/** Signs inside a word make it an identifier and stay; `C++` and `C#` are words. */
const WORD = /[\p{L}\p{N}\p{M}]+(?:[-_./:@#'’+]+[\p{L}\p{N}\p{M}]+)*(?:\+\+|#)?/gu;
const ARTICLES = new Set(['a', 'an', 'the']);

const NO_PAIRS: ReadonlySet<string> = new Set();

function textOf(content: string): Text {
  const words = new Set<string>();
  const pairs = new Set<string>();
  const telling: string[] = [];
  const written = content.length > MOST_CHARACTERS ? [] : (content.normalize('NFKC').match(WORD) ?? []);
  let before: string | null = null;
  for (const word of written) {
    const lower = word.toLowerCase();
    if (ARTICLES.has(lower)) continue;
    if (before !== null) pairs.add(`${before} ${lower}`);
    // A capital at the beginning of the text names nothing.
    if (isTelling(before === null ? lower : word)) telling.push(word);
    words.add(lower);
    before = lower;
  }
  return { words, pairs: pairs.size < LEAST_WORDS - 1 ? NO_PAIRS : pairs, telling: telling.join(' ') };
}

/** The first of the kept texts that says nearly the same. Only those that share a pair with it are looked at. */
function firstAlike(text: Text, kept: readonly Text[], holders: ReadonlyMap<string, readonly number[]>): number | null {
  const shared = new Map<number, number>();
  for (const pair of text.pairs) {
    for (const index of holders.get(pair) ?? []) shared.set(index, (shared.get(index) ?? 0) + 1);
  }
  for (const [index, count] of [...shared].sort(([one], [other]) => one - other)) {
    const other = kept[index];
    if (other && isNearlySame(text, other, count)) return index;
  }
  return null;
}

function addTo(holders: Map<string, number[]>, pair: string, index: number): void {
  const known = holders.get(pair);
  if (known) known.push(index);
  else holders.set(pair, [index]);
}

function isNearlySame(one: Text, other: Text, shared: number): boolean {
  if (shared === 0 || shared < SHARED_PAIRS * (one.pairs.size + other.pairs.size - shared)) return false;
  if (one.telling !== other.telling) return false;
  const [shorter, longer] = one.words.size < other.words.size ? [one, other] : [other, one];
  for (const word of shorter.words) {
    if (!longer.words.has(word)) return false;
  }
  return true;
}

/** Words that turn a statement round. */
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
