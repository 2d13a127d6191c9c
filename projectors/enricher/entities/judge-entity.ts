/**
 * The quality gate: whether a name in a category deserves a tag, by its form alone. A tag that is wrong is noise in every later recall, so
 * what could be a heading, a count, a piece of code or a word that anything is called by is refused.
 */
import { entitySlug } from '../../../shared/text/entity-tags.js';
import { readEntityCategory } from './entity-category.js';
import type { EntityRefusal, EntityVerdict } from './entity-verdict.js';
import {
  ACTION_VERBS,
  ARTICLES,
  COUNTED,
  FILE_WORDS,
  GENERIC_NOUNS,
  MONTHS,
  NUMBERING,
  NUMERALS,
  STATUS_WORDS,
  WEAK_CODE_WORDS,
  WEEKDAYS,
} from './gate-words.js';
import { judgePerson } from './judge-person.js';
import { GIVEN_NAMES } from './names/given-names.js';

/** Characters of a name and of its slug. */
export const ENTITY_NAME_LIMIT = 100;

/** Takes the category in the plural or the singular, and a name or a slug. */
export function judgeEntity({ category, name }: { readonly category: string; readonly name: string }): EntityVerdict {
  const known = readEntityCategory(category);
  if (known === null) return { ok: false, reason: 'unknown_category' };
  if (name.length > ENTITY_NAME_LIMIT) return { ok: false, reason: 'invalid_entity_tag' };
  const slug = entitySlug(name);
  const reason = refusalOf(slug);
  if (reason !== null) return { ok: false, reason };
  if (isGeneric(slug.split('-')))
    return { ok: false, reason: known === 'people' ? 'low_signal_people_slug' : 'generic_entity_slug' };
  return known === 'people' ? judgePerson(name, slug) : { ok: true, category: known, slug, confidence: CONFIDENCE };
}

const CONFIDENCE = 0.95;
const MIN_SLUG_LENGTH = 3;
const PHRASE_WORDS = 6;

/** What no category takes. */
function refusalOf(slug: string): EntityRefusal | null {
  const words = slug.split('-');
  if (slug === '' || slug.length > ENTITY_NAME_LIMIT) return 'invalid_entity_tag';
  if (UNICODE_ESCAPE.test(slug)) return 'unicode_escape_slug';
  if (isCount(words)) return 'duration_or_count_slug';
  if (slug.length < MIN_SLUG_LENGTH && !NON_LATIN.test(slug)) return 'too_short';
  if (words.some((word) => HASH.test(word) || KEY.test(word))) return 'generated_fragment_slug';
  if (isCodeFragment(words)) return 'markdown_or_code_fragment';
  if (isPhrase(words)) return 'generated_phrase_slug';
  return null;
}

/** What is left of `\u00e9` when its backslash went: four hex digits of which one is a figure. */
const UNICODE_ESCAPE = /(?:^|-)u(?=[a-f]{0,3}\d)[0-9a-f]{4}/u;
/** Two Chinese characters are a whole name. */
const NON_LATIN = /[^\p{Script=Latin}\p{N}-]/u;
/** Seven hex digits are a short commit; two figures keep words (`facade1`) out. */
const HASH = /^(?=[a-f]*\d[0-9a-f]*\d)[0-9a-f]{7,}$/u;
/** Tokens and keys: long, figures and letters mixed. */
const KEY = /^(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{16,}$/u;
const NUMBER = /^\d+$/u;
const AMOUNT = /^\d+(?:ms|s|m|h|d|w|y|k|x|px|min|mins|hr|hrs|kb|mb|gb|tb|th|st|nd|rd|am|pm)$/u;

function isCount(words: readonly string[]): boolean {
  const isQuantity = (word: string): boolean => NUMBER.test(word) || AMOUNT.test(word);
  return words.every((word, index) => isQuantity(word) || (index > 0 && COUNTED.has(word)));
}

function isCodeFragment(words: readonly string[]): boolean {
  return (
    words.length >= 2 &&
    (words.some((word) => FILE_WORDS.has(word)) || words.filter((word) => WEAK_CODE_WORDS.has(word)).length >= 2)
  );
}

function isPhrase(words: readonly string[]): boolean {
  if (words.length >= PHRASE_WORDS) return true;
  const [first = '', second = ''] = words;
  if (NUMBERING.has(first) && (NUMBER.test(second) || NUMERALS.has(second))) return true;
  if (words.length >= 3 && words.some((word) => STATUS_WORDS.has(word))) return true;
  return words.some((word, index) => MONTHS.has(word) && (isFigure(words[index - 1]) || isFigure(words[index + 1])));
}

function isFigure(word = ''): boolean {
  return NUMBER.test(word) || AMOUNT.test(word);
}

function isGeneric(words: readonly string[]): boolean {
  const [first = ''] = words;
  if (ARTICLES.has(first) || ACTION_VERBS.has(first)) return true;
  if (words.length === 1 && ABSTRACTION.test(first) && !GIVEN_NAMES.has(first)) return true;
  return words.every((word) => GENERIC_NOUNS.has(word) || MONTHS.has(word) || WEEKDAYS.has(word) || NUMBER.test(word));
}

/** Deployment, readiness, accuracy. Shorter ones are names (`Clement`, `Tracy`). */
const ABSTRACTION = /^\p{L}{4,}(?:ment|ness|acy)s?$/u;
