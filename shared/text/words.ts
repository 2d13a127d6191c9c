/**
 * The second step of the analyzer: splits folded text into lower-case words, in order. A compound (`ERR_CONN_RESET`,
 * `src/app/main.ts`, `userName`) gives itself and its parts, so that both find it.
 */
import { hasUnspacedScript, scriptRuns, segmentUnspaced } from './unspaced.js';

export function words(text: string): string[] {
  const found: string[] = [];
  for (const chunk of chunks(text)) {
    if (hasUnspacedScript(chunk)) found.push(...segmentUnspaced(chunk));
    else if (PLAIN.test(chunk)) found.push(chunk.toLowerCase());
    else found.push(...compound(chunk));
  }
  return found;
}

/**
 * The pieces of a text between blanks and punctuation, in their original spelling. A piece never mixes scripts with and
 * without blanks.
 */
export function chunks(text: string): string[] {
  return [...text.matchAll(CHUNK)].flatMap(([chunk]) => (hasUnspacedScript(chunk) ? scriptRuns(chunk) : chunk));
}

/** Letters and digits, joined by single signs, with a final `#` or `++` (`C#`, `C++`). */
const CHUNK = /[\p{L}\p{N}\p{M}]+(?:(?:_+|::|:\/\/|[-./:@'\\])[\p{L}\p{N}\p{M}]+)*(?:(?:\+\+|#)(?![\p{L}\p{N}]))?/gu;
/** A word without inner capitals and without signs. Most words are plain, so this test is the fast path. */
const PLAIN = /^(?:\p{L}?[\p{Ll}\p{Lo}\p{M}\p{N}]*|[\p{Lu}\p{N}]+)$/u;

/** The whole compound, then its parts if it has several. Leaves out parts of a single plain letter or digit. */
function compound(chunk: string): string[] {
  const name = chunk.replace(CONTRACTION, '');
  const whole = chunk.toLowerCase();
  if (name !== chunk && !/[^\p{L}\p{N}\p{M}']/u.test(chunk)) return contraction(whole, name);
  const parts = name
    .split(SIGN)
    .flatMap(humps)
    .map((part) => part.toLowerCase())
    .filter((part) => !/^[a-z0-9]?$/.test(part));
  const kept = name.toLowerCase().replaceAll("'", '');
  return [kept, ...parts.filter((part) => part !== kept)];
}

/** `don't` stays whole (it is a stop word), `Alice's` gives `alice`. */
function contraction(whole: string, name: string): string[] {
  return whole.endsWith("n't") ? [whole] : compound(name);
}

const CONTRACTION = /'(?:[stdm]|re|ve|ll)$/i;
const SIGN = /[^\p{L}\p{N}\p{M}]+/u;

/** `userName` gives `user` and `Name`, `HTTPServer` gives `HTTP` and `Server`. A hash in capitals stays whole. */
function humps(part: string): string[] {
  return /\p{Lu}/u.test(part) ? part.split(HUMP) : [part];
}
/**
 * The lookahead comes before the lookbehind: in the other order, the time grows with the square of the length of a
 * number.
 */
const HUMP = /(?=\p{Lu})(?<=\p{Ll}\p{N}*)|(?=\p{Lu}\p{Ll})(?<=\p{Lu})/u;
