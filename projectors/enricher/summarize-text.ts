/** A memory in one line: its first sentence, cut at a word. Sentences and words as Unicode cuts them, so in every script. */

/** UTF-16 units of a summary. */
export const SUMMARY_LIMIT = 240;

/** Empty only for a text of blanks. */
export function summarizeText(content: string): string {
  const [paragraph = ''] = content.slice(0, READ_LIMIT).trimStart().split(PARAGRAPH_END, 1);
  return cutAtWord(firstSentence(paragraph.replace(/\s+/gu, ' ').trim()));
}

/** A first sentence that is longer is cut anyway. Blanks may stand before it and line ends in it. */
const READ_LIMIT = 2_000;
/** An empty line, or a line that opens a list, a heading or a quotation. */
const PARAGRAPH_END = /\n(?=[^\S\n]*(?:\n|[-*#•>] |\d+[.)] ))/u;
/** The locale does not matter to either; naming one keeps the host's settings out. */
const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });
const WORDS = new Intl.Segmenter('en', { granularity: 'word' });

/** Unicode ends a sentence after `Dr.` and after an initial. */
const NO_END = /(?:^|[\s(])(?:\p{Lu}|Dr|Mr|Mrs|Ms|Prof|Sr|Jr|St|No|vs|etc|approx|e\.g|i\.e|cf|Inc|Corp|Ltd|Co)\.\s*$/u;

function firstSentence(text: string): string {
  let sentence = '';
  for (const { segment } of SENTENCES.segment(text.slice(0, SUMMARY_LIMIT * 2))) {
    sentence += segment;
    if (sentence.length > SUMMARY_LIMIT || !NO_END.test(sentence)) break;
  }
  return sentence.trim();
}

function cutAtWord(text: string): string {
  if (text.length <= SUMMARY_LIMIT) return text;
  const wordThere = WORDS.segment(text.slice(0, SUMMARY_LIMIT * 2)).containing(SUMMARY_LIMIT)?.index ?? 0;
  return text.slice(0, wordThere > 0 ? wordThere : wholeCharacters(text)).trim();
}

/** Of one word that is too long: no half of a pair of surrogates at its end. */
function wholeCharacters(text: string): number {
  return /[\ud800-\udbff]/u.test(text.charAt(SUMMARY_LIMIT - 1)) ? SUMMARY_LIMIT - 1 : SUMMARY_LIMIT;
}
