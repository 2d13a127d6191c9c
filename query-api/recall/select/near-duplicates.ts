/**
 * Merges near duplicates, pure: a memory that nearly repeats a better one frees its place for the next distinct memory.
 * Two texts are near duplicates when every word of the shorter one is in the longer one, at least 0.8 of their word
 * pairs are shared, and both have the same numbers, identifiers, names and negations in the same order. A replaced word
 * makes two different statements (`the red team`, `the blue team`), whatever the length, because texts from one
 * template differ only in those words.
 */
import type { Memory, MemoryId } from '../../../shared/contract/memory.js';
import { oncePerObject } from '../../../shared/kernel/once-per-object.js';
import type { SourceKey } from '../plan/source-key.js';

const SHARED_PAIRS = 0.8;
/** Shorter texts are compared by their fingerprint only, because in them every word matters. */
const MIN_WORDS = 5;
/**
 * Longer texts are compared by their fingerprint only, to limit the time of a recall. Twice the default length limit of
 * a memory.
 */
const MAX_CHARACTERS = 4_000;

type Comparable = { readonly memory: Pick<Memory, 'id' | 'content'>; readonly dedupedFrom: readonly MemoryId[] };

/**
 * The first `limit` distinct results in the given order; `dedupedFrom` lists the later results that were merged into
 * each. A source has one place: its later results are skipped before their texts are compared, because most of a pool
 * can be pieces of one source. Stops at the first distinct result beyond the limit.
 */
export function distinctResults<R extends Comparable>(
  ordered: readonly R[],
  limit: number,
  sourceKeyOf: (result: R) => SourceKey | null = () => null,
): readonly R[] {
  const kept: { readonly result: R; readonly text: Text; readonly mergedIds: MemoryId[] }[] = [];
  const textsByPair = new Map<string, number[]>();
  const sources = new Set<SourceKey>();
  for (const result of ordered) {
    const source = sourceKeyOf(result);
    if (source !== null && sources.has(source)) continue;
    const text = textOf(result.memory.content);
    const duplicateOf = findDuplicate(
      text,
      kept.map((one) => one.text),
      textsByPair,
    );
    if (duplicateOf !== null) {
      kept[duplicateOf]?.mergedIds.push(result.memory.id, ...result.dedupedFrom);
    } else if (kept.length < limit) {
      for (const pair of text.pairs) addToIndex(textsByPair, pair, kept.length);
      if (source !== null) sources.add(source);
      kept.push({ result, text, mergedIds: [] });
    } else {
      break;
    }
  }
  return kept.map(({ result, mergedIds }) =>
    mergedIds.length === 0 ? result : { ...result, dedupedFrom: allIds(result, mergedIds) },
  );
}

/** Whether one text repeats the other and adds hardly anything. */
export function areNearDuplicates(one: string, other: string): boolean {
  const [first, second] = [textOf(one), textOf(other)];
  return isNearlySame(first, second, [...first.pairs].filter((pair) => second.pairs.has(pair)).length);
}

/** In lower case, except `distinctive`. No pairs when the text has too few words or is too long. */
type Text = {
  readonly words: ReadonlySet<string>;
  readonly pairs: ReadonlySet<string>;
  /** The words that make a different statement when one is replaced, in their order. */
  readonly distinctive: string;
};

/** Punctuation inside a word is part of it, as in identifiers; `C++` and `C#` are words. */
const WORD = /[\p{L}\p{N}\p{M}]+(?:[-_./:@#'’+]+[\p{L}\p{N}\p{M}]+)*(?:\+\+|#)?/gu;
const ARTICLES = new Set(['a', 'an', 'the']);

const NO_PAIRS: ReadonlySet<string> = new Set();

function textOf(content: string): Text {
  const words = new Set<string>();
  const pairs = new Set<string>();
  const distinctive: string[] = [];
  const written = content.length > MAX_CHARACTERS ? [] : (content.normalize('NFKC').match(WORD) ?? []);
  let before: string | null = null;
  for (const word of written) {
    const lower = word.toLowerCase();
    if (ARTICLES.has(lower)) continue;
    if (before !== null) pairs.add(`${before} ${lower}`);
    // The first word of a text begins with a capital letter and is not a name for that reason alone.
    if (isDistinctive(before === null ? lower : word)) distinctive.push(word);
    words.add(lower);
    before = lower;
  }
  return { words, pairs: pairs.size < MIN_WORDS - 1 ? NO_PAIRS : pairs, distinctive: distinctive.join(' ') };
}

/** The index of the first kept text that is a near duplicate. Compares only the texts that share a word pair. */
function findDuplicate(
  text: Text,
  kept: readonly Text[],
  holders: ReadonlyMap<string, readonly number[]>,
): number | null {
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

function addToIndex(holders: Map<string, number[]>, pair: string, index: number): void {
  const known = holders.get(pair);
  if (known) known.push(index);
  else holders.set(pair, [index]);
}

function isNearlySame(one: Text, other: Text, shared: number): boolean {
  if (shared === 0 || shared < SHARED_PAIRS * (one.pairs.size + other.pairs.size - shared)) return false;
  if (one.distinctive !== other.distinctive) return false;
  const [shorter, longer] = one.words.size < other.words.size ? [one, other] : [other, one];
  for (const word of shorter.words) {
    if (!longer.words.has(word)) return false;
  }
  return true;
}

/** Words that negate or restrict a statement. */
const NEGATIONS = new Set(
  `no not never none nothing neither nor without cannot unless except only hardly rarely formerly
  nicht kein keine keinen nie ohne ne pas jamais nunca sin non`.split(/\s+/),
);

/** A number, an identifier, a name or a negation. In a script without capital letters any word may be a name. */
function isDistinctive(word: string): boolean {
  return /[\p{N}\p{Lu}\p{Lo}\-_./:@#+]/u.test(word) || NEGATIONS.has(word) || /n['’]t$/u.test(word);
}

function allIds(result: Comparable, mergedIds: readonly MemoryId[]): readonly MemoryId[] {
  return [...new Set([result.memory.id, ...result.dedupedFrom, ...mergedIds])].sort();
}

const FINGERPRINT_LENGTH = 320;

/**
 * Identifies a text that was written twice: the content without case, punctuation and markup, in letters of every
 * script. Null when nothing is left, so that contents without words never count as equal.
 */
export function contentFingerprint(content: string): string | null {
  const words = content
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
  return words === '' ? null : words.slice(0, FINGERPRINT_LENGTH);
}

export const fingerprintOf = oncePerObject(({ content }: Pick<Memory, 'content'>) => contentFingerprint(content));
