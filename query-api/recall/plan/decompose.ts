/**
 * Splits a question into parts, pure: `auto_decompose` searches for these queries in addition to the question. What
 * counts as a name or a topic follows the contract's examples.
 */
import { QUERY_LENGTH_LIMIT } from '../../../shared/contract/limits.js';
import { STOP_WORDS } from '../../../shared/text/stop-words.js';
import { MONTHS, WEEKDAYS } from './calendar.js';
import { wordsOf } from './query-text.js';

/**
 * Names are used in the order of the question. Together with the topics this limits the queries to 10: 2 x (1 + 3 + 1).
 */
const NAME_LIMIT = 2;
const SEARCHED_TOPIC_LIMIT = 3;
const TOPIC_LIMIT = 5;
const TOPIC_LENGTH = 4;

/** Distinct and different from the question; empty when the question has neither names nor topics. */
export function decompose(question: string): readonly string[] {
  const names = namesIn(question);
  const topics = topicsIn(question, names);
  const searched = topics.slice(0, SEARCHED_TOPIC_LIMIT);
  const plans = topics.some((topic) => OCCUPATIONS.has(topic)) ? ['interests goals plans'] : [];
  const queries =
    names.length === 0
      ? searched
      : names
          .slice(0, NAME_LIMIT)
          .flatMap((name) => [name, ...[...searched, ...plans].map((rest) => `${name} ${rest}`)]);
  return queries.filter((query) => query.toLowerCase() !== question.trim().toLowerCase());
}

/**
 * Capitalised words that do not begin a sentence, and owners (`John's`) anywhere. Adjacent capitalised words are one
 * name.
 */
export function namesIn(question: string): readonly string[] {
  const names: string[] = [];
  let end = 0;
  let canContinue = false;
  for (const { 0: written, index } of question.slice(0, QUERY_LENGTH_LIMIT).matchAll(/[\p{L}\p{N}\p{M}_'’-]+/gu)) {
    const word = written.replace(/['’]s?$/u, '');
    const isOwner = word !== written;
    const between = question.slice(end, index);
    const isFirst = end === 0 || /[.!?…:]/u.test(between);
    const isNamed = isName(word) && (isOwner || !isFirst);
    if (isNamed) names.push(canContinue && between === ' ' ? `${names.pop()} ${word}` : word);
    // The word after an owner begins another name.
    canContinue = isNamed && !isOwner;
    end = index + written.length;
  }
  return [...new Set(names)];
}

/** The first five words of at least four letters that are neither names, stop words nor fillers, in lower case. */
export function topicsIn(question: string, names: readonly string[]): readonly string[] {
  const parts = new Set(names.flatMap(wordsOf));
  const words = wordsOf(question.slice(0, QUERY_LENGTH_LIMIT)).filter((word) => word.length >= TOPIC_LENGTH);
  return [...new Set(words)]
    .filter((word) => !parts.has(word) && !STOP_WORDS.has(word) && !FILLERS.has(word))
    .slice(0, TOPIC_LIMIT);
}

function isName(word: string): boolean {
  const [beforeApostrophe = ''] = word.toLowerCase().split(/['’]/u);
  return /^\p{Lu}/u.test(word) && !STOP_WORDS.has(beforeApostrophe) && !NOT_NAMES.has(beforeApostrophe);
}

const OCCUPATIONS = new Set(['career', 'job', 'work']);

const NOT_NAMES: ReadonlySet<string> = new Set([
  ...MONTHS,
  ...WEEKDAYS,
  ...`american argentinian asian australian austrian belgian brazilian british canadian chinese cuban czech danish dutch egyptian english european
  african finnish french german greek hungarian indian indonesian iranian irish israeli italian japanese korean malaysian mexican norwegian
  pakistani persian polish portuguese romanian russian scottish spanish swedish swiss thai turkish ukrainian vietnamese welsh
  may might shall must ok okay yes please`.split(/\s+/),
]);

/** Words that are common in questions and do not name their subject. */
const FILLERS: ReadonlySet<string> = new Set(
  `actually anything anyone around asked asking become becoming best called came come comes consider considered considering describe
  different done else ever every exactly explain find found gave get gets give given gives giving going gone kind kinds
  know known knows like liked likely likes long look looking made make makes making many maybe mention mentioned mentions might much must need
  needed needs often part perhaps please possibly probably pursue pursued pursuing really remember said says seem seems shall show since
  someone something sort sorts still sure take taken takes taking talk talked tell tells thing things think thinks thought told took type
  types upon used uses using usually want wanted wants well went whether whose wish within without`.split(/\s+/),
);
