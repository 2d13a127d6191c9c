/** Words in scripts that put no blanks between them (Chinese, Japanese, Thai, Lao, Khmer, Burmese), and in Korean, which puts few. */

/** Words as the dictionary of `Intl.Segmenter` cuts them; longer Han and Hangul words also as pairs of characters. */
export function segmentUnspaced(run: string): string[] {
  const found: string[] = [];
  for (let from = 0; from < run.length; from += MAX_RUN_LENGTH) {
    for (const { segment, isWordLike } of SEGMENTER.segment(run.slice(from, from + MAX_RUN_LENGTH))) {
      if (isWordLike) found.push(segment.toLowerCase(), ...pairs(segment));
    }
  }
  return found;
}

/** The segmenter's time grows with the square of a run; sentences are shorter. */
const MAX_RUN_LENGTH = 512;

export function hasUnspacedScript(chunk: string): boolean {
  return UNSPACED.test(chunk);
}

/** Cuts `GPT-4は便利` where the script changes from spaced to unspaced and back. */
export function scriptRuns(chunk: string): string[] {
  return chunk.split(BORDER).filter((run) => run !== '');
}

/**
 * The dictionary cuts the same name differently in different sentences (`東京都` or `東京`), and Korean words carry their particles;
 * overlapping pairs meet in both.
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
/** The dictionaries do not depend on the language given; naming one keeps the host's settings out. */
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'word' });
