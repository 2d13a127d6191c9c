/**
 * The first step of the analyzer: one spelling for letters that readers regard as equal. Keeps upper and lower case,
 * for camelCase.
 */

/**
 * Applies NFKC; drops the accents of Latin letters, Arabic and Hebrew vowel signs and soft hyphens; `ß` becomes `ss`,
 * and every apostrophe becomes `'`. Reason: people search without accents, and the stemmer supports plain letters only.
 */
export function foldText(text: string): string {
  if (IS_ASCII.test(text)) return text;
  return text
    .normalize('NFKC')
    .replace(LATIN_WITH_ACCENT, (letter) => letter.normalize('NFD').replace(COMBINING_ACCENT, ''))
    .replace(LATIN_THEN_ACCENT, '$1')
    .replace(SILENT, '')
    .replace(/ß/g, 'ss')
    .replace(/ẞ/g, 'SS')
    .replace(/[‘’‛ʼ]/g, "'");
}

const IS_ASCII = /^\p{ASCII}*$/u;
const LATIN_WITH_ACCENT = /[\u00c0-\u024f\u1e00-\u1eff]/g;
const COMBINING_ACCENT = /[\u0300-\u036f]+/g;
/** Combinations that NFKC cannot compose, because Unicode has no composed letter for them. */
const LATIN_THEN_ACCENT = /([A-Za-z])[\u0300-\u036f]+/g;
/** Soft hyphen, Arabic harakat and tatweel, Hebrew points. */
const SILENT = /[\u064b-\u065f\u0670\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u00ad\u0640]/g;
