/** Summarizes a memory in one line: its first sentence, cut at a word. Uses the Unicode rules for sentences and words, in any script. */

/** Largest length of a summary in UTF-16 units. */
export const SUMMARY_LIMIT = 240;

/** Empty only for a blank text. */
export function summarizeText(content: string): string {
  const [paragraph = ''] = content.slice(0, READ_LIMIT).trimStart().split(PARAGRAPH_END, 1);
  return cutAtWord(firstSentence(paragraph.replace(/\s+/gu, ' ').trim()));
}

/** UTF-16 units that are read: a longer first sentence is cut anyway. Includes leading blanks and line breaks. */
const READ_LIMIT = 2_000;
/** An empty line, or a line that starts a list item, a heading or a quotation. */
const PARAGRAPH_END = /\n(?=[^\S\n]*(?:\n|[-*#•>] |\d+[.)] ))/u;
/** The locale changes neither result; naming one makes them independent of the settings of the host. */
const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });
const WORDS = new Intl.Segmenter('en', { granularity: 'word' });

/** Abbreviations and initials, after which Unicode wrongly ends a sentence. */
const NO_SENTENCE_END =
  /(?:^|[\s(])(?:\p{Lu}|Dr|Mr|Mrs|Ms|Prof|Sr|Jr|St|No|vs|etc|approx|e\.g|i\.e|cf|Inc|Corp|Ltd|Co)\.\s*$/u;

function firstSentence(text: string): string {
  let sentence = '';
  for (const { segment } of SENTENCES.segment(text.slice(0, SUMMARY_LIMIT * 2))) {
    sentence += segment;
    if (sentence.length > SUMMARY_LIMIT || !NO_SENTENCE_END.test(sentence)) break;
  }
  return sentence.trim();
}

function cutAtWord(text: string): string {
  if (text.length <= SUMMARY_LIMIT) return text;
  const wordStart = WORDS.segment(text.slice(0, SUMMARY_LIMIT * 2)).containing(SUMMARY_LIMIT)?.index ?? 0;
  return text.slice(0, wordStart > 0 ? wordStart : wholeCharacters(text)).trim();
}

/** Where to cut a single long word, so that no surrogate pair is split. */
function wholeCharacters(text: string): number {
  return /[\ud800-\udbff]/u.test(text.charAt(SUMMARY_LIMIT - 1)) ? SUMMARY_LIMIT - 1 : SUMMARY_LIMIT;
}
