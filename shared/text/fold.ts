/** The first step of the analyzer: one spelling for what readers take for the same letters. Case stays; camelCase needs it. */

/**
 * NFKC; accents of Latin letters, Arabic and Hebrew vowel signs and soft hyphens dropped; `ß` is `ss`; every apostrophe is `'`.
 * People leave accents out when they search, and the stemmer knows plain letters only.
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

const IS_ASCII = /^[\x00-\x7f]*$/;
const LATIN_WITH_ACCENT = /[\u00c0-\u024f\u1e00-\u1eff]/g;
const COMBINING_ACCENT = /[\u0300-\u036f]+/g;
/** What NFKC could not compose, for want of a composed letter. */
const LATIN_THEN_ACCENT = /([A-Za-z])[\u0300-\u036f]+/g;
/** Soft hyphen, Arabic harakat and tatweel, Hebrew points. */
const SILENT = /[\u00ad\u0640\u064b-\u065f\u0670\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]/g;
