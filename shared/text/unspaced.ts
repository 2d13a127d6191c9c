/**
 * Splits text in scripts without blanks between words (Chinese, Japanese, Thai, Lao, Khmer, Burmese) or with few blanks
 * (Korean).
 */

/**
 * The words of the dictionary of `Intl.Segmenter`; longer Han and Hangul words also as overlapping pairs of characters.
 */
export function segmentUnspaced(run: string): string[] {
  const found: string[] = [];
  for (let from = 0; from < run.length; from += MAX_RUN_LENGTH) {
    for (const { segment, isWordLike } of SEGMENTER.segment(run.slice(from, from + MAX_RUN_LENGTH))) {
      if (isWordLike) found.push(segment.toLowerCase(), ...pairs(segment));
    }
  }
  return found;
}

/**
 * Longer runs are split, because the time of the segmenter grows with the square of the run. Sentences are shorter than
 * this.
 */
const MAX_RUN_LENGTH = 512;

export function hasUnspacedScript(chunk: string): boolean {
  return UNSPACED.test(chunk);
}

/** Cuts a text such as `GPT-4は便利` where a script with blanks meets a script without blanks. */
export function scriptRuns(chunk: string): string[] {
  return chunk.split(BORDER).filter((run) => run !== '');
}

/**
 * Overlapping pairs of characters. They match where words do not: the dictionary cuts the same name differently in
 * different sentences (`東京都` or `東京`), and Korean words include their particles.
 */
function pairs(word: string): string[] {
  if (word.length <= 2 || !PAIRED.test(word)) return [];
  const characters = [...word];
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}

const SCRIPTS = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー`;
const UNSPACED = new RegExp(`[${SCRIPTS}]`, 'u');
const BORDER = new RegExp(`(?<=[${SCRIPTS}])(?=[^${SCRIPTS}])|(?<=[^${SCRIPTS}])(?=[${SCRIPTS}])`, 'u');
const PAIRED = /^[\p{Script=Han}\p{Script=Hangul}]+$/u;
/**
 * The dictionaries do not depend on the locale; naming one makes the result independent of the settings of the host.
 */
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'word' });
