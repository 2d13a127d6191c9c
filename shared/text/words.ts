/**
 * The second step of the analyzer: folded text to lower-case words, in order. A compound (`ERR_CONN_RESET`, `src/app/main.ts`,
 * `userName`) gives itself and its parts, so that it is found by either.
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

/** What stands between blanks and the signs of a sentence, as it is written; each in one kind of script. */
export function chunks(text: string): string[] {
  return [...text.matchAll(CHUNK)].flatMap(([chunk]) => (hasUnspacedScript(chunk) ? scriptRuns(chunk) : chunk));
}

/** Letters and digits, held together by single signs; a closing `#` or `++` belongs to it (`C#`, `C++`). */
const CHUNK = /[\p{L}\p{N}\p{M}]+(?:(?:_+|::|:\/\/|[-./:@'\\])[\p{L}\p{N}\p{M}]+)*(?:(?:\+\+|#)(?![\p{L}\p{N}]))?/gu;
/** A word without capitals inside and without signs: most of any text. */
const PLAIN = /^(?:\p{L}?[\p{Ll}\p{Lo}\p{M}\p{N}]*|[\p{Lu}\p{N}]+)$/u;

/** The whole, then its parts where there are several. Parts of one plain letter or digit tell nothing. */
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

/** `don't` stays whole (it is a stop word), `Alice's` is Alice. */
function contraction(whole: string, name: string): string[] {
  return whole.endsWith("n't") ? [whole] : compound(name);
}

const CONTRACTION = /'(?:s|t|re|ve|ll|d|m)$/i;
const SIGN = /[^\p{L}\p{N}\p{M}]+/u;

/** `userName` gives `user` and `Name`, `HTTPServer` gives `HTTP` and `Server`; hashes in capitals stay whole. */
function humps(part: string): string[] {
  return /\p{Lu}/u.test(part) ? part.split(HUMP) : [part];
}
/** Looks ahead before it looks behind: the other way a long number costs the square of its length. */
const HUMP = /(?=\p{Lu})(?<=\p{Ll}\p{N}*)|(?=\p{Lu}\p{Ll})(?<=\p{Lu})/u;
