/**
 * The quality gate: decides by its form alone whether a name becomes an entity tag. A wrong tag is noise in every later
 * recall, so names that could be a heading, a count, a piece of code or a generic word are rejected.
 */
import { entitySlug } from '../text/entity-tags.js';
import { checkPerson } from './check-person.js';
import { type EntityRejection, type EntityVerdict, readEntityCategory } from './entity.js';
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
import { GIVEN_NAMES } from './names/given-names.js';

/** Largest length of a name and of its slug, in UTF-16 units. */
export const ENTITY_NAME_LIMIT = 100;

/** `category`: plural or singular. `name`: a name or a slug. */
export function checkEntity({ category, name }: { readonly category: string; readonly name: string }): EntityVerdict {
  const known = readEntityCategory(category);
  if (known === null) return { ok: false, reason: 'unknown_category' };
  if (name.length > ENTITY_NAME_LIMIT) return { ok: false, reason: 'invalid_entity_tag' };
  const slug = entitySlug(name);
  const reason = rejectionOf(slug);
  if (reason !== null) return { ok: false, reason };
  if (isGeneric(slug.split('-')))
    return { ok: false, reason: known === 'people' ? 'low_signal_people_slug' : 'generic_entity_slug' };
  return known === 'people' ? checkPerson(name, slug) : { ok: true, category: known, slug, confidence: CONFIDENCE };
}

const CONFIDENCE = 0.95;
const MIN_SLUG_LENGTH = 3;
const PHRASE_WORDS = 6;

/** The rules for every category. */
function rejectionOf(slug: string): EntityRejection | null {
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

/** `\u00e9` without its backslash: four hex digits, at least one of them decimal. */
const UNICODE_ESCAPE = /(?:^|-)u(?=[a-f]{0,3}\d)[0-9a-f]{4}/u;
/** Short slugs are allowed here: two Chinese characters are a whole name. */
const NON_LATIN = /[^\p{Script=Latin}\p{N}-]/u;
/** Seven hex digits are a short commit hash; requiring two decimal digits excludes words (`facade1`). */
const HASH = /^(?=[a-f]*\d[0-9a-f]*\d)[0-9a-f]{7,}$/u;
/** Tokens and keys: long, with digits and letters mixed. */
const KEY = /^(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{16,}$/u;
const NUMBER = /^\d+$/u;
const AMOUNT = /^\d+(?:ms|[smhdwykx]|px|min|mins|hr|hrs|kb|mb|gb|tb|th|st|nd|rd|am|pm)$/u;

function isCount(words: readonly string[]): boolean {
  return words.every((word, index) => isAmount(word) || (index > 0 && COUNTED.has(word)));
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
  return words.some((word, index) => MONTHS.has(word) && (isAmount(words[index - 1]) || isAmount(words[index + 1])));
}

function isAmount(word = ''): boolean {
  return NUMBER.test(word) || AMOUNT.test(word);
}

function isGeneric(words: readonly string[]): boolean {
  const [first = ''] = words;
  if (ARTICLES.has(first) || ACTION_VERBS.has(first)) return true;
  if (words.length === 1 && ABSTRACTION.test(first) && !GIVEN_NAMES.has(first)) return true;
  return words.every((word) => GENERIC_NOUNS.has(word) || MONTHS.has(word) || WEEKDAYS.has(word) || NUMBER.test(word));
}

/** Deployment, readiness, accuracy. Shorter words with these endings are names (`Clement`, `Tracy`). */
const ABSTRACTION = /^\p{L}{4,}(?:ment|ness|acy)s?$/u;
