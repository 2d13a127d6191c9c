/**
 * The part of the quality gate for people: one or two words of letters, none of them a product, a company or a thing.
 */
import type { EntityRejection, EntityVerdict } from './entity.js';
import { COMPANY_ENDINGS, GENERIC_NOUNS } from './gate-words.js';
import { GIVEN_NAMES } from './names/given-names.js';
import { KNOWN_ORGANIZATIONS } from './names/known-organizations.js';
import { isKnownTool } from './names/known-tools.js';

/** Checks a name that passed the rules for every category. */
export function checkPerson(name: string, slug: string): EntityVerdict {
  const isSlug = !/\s/u.test(name.trim());
  const nameWords = isSlug ? slug.split('-') : name.trim().split(/\s+/u).map(lettersOf);
  const words = withoutSuffix(nameWords);
  const reason = rejectionOf(words, name);
  if (reason !== null) return { ok: false, reason };
  const kept = words.length === nameWords.length ? slug : words.join('-');
  return {
    ok: true,
    category: 'people',
    slug: kept,
    confidence: words.length === 1 ? SINGLE_NAME_CONFIDENCE : FULL_NAME_CONFIDENCE,
  };
}

/** Low, because a given name alone can mean several people. */
const SINGLE_NAME_CONFIDENCE = 0.6;
const FULL_NAME_CONFIDENCE = 0.95;
const MAX_NAMES = 2;

/** Particles between the names of a person. */
export const NAME_PARTICLES: ReadonlySet<string> = new Set(
  'van von de der den del della di da dos du la le ter ten bin ibn al el af av zu'.split(' '),
);

/** Drops the rest of a possessive: `bob-smith-s` is the slug of `Bob Smith's`. */
function withoutSuffix(words: readonly string[]): readonly string[] {
  return words.length >= 3 && (words.at(-1) === 's' || words.at(-1) === 'a') ? words.slice(0, -1) : words;
}

function rejectionOf(words: readonly string[], name: string): EntityRejection | null {
  if (words.some((word) => GENERIC_NOUNS.has(word))) return 'low_signal_people_slug';
  if (!words.every((word) => NAME_WORD.test(word)) || repeats(words) || !hasNameLength(words))
    return 'non_name_people_slug';
  return looksLikeProduct(words, name) ? 'tool_or_organization_looking_people' : null;
}

/** Only initials may repeat: George R. R. Martin. */
function repeats(words: readonly string[]): boolean {
  const names = words.filter((word) => word.length > 1);
  return new Set(names).size < names.length;
}

const NAME_WORD = /^\p{L}[\p{L}\p{M}-]*$/u;

/** At most two names, not counting initials and particles between them. */
function hasNameLength(words: readonly string[]): boolean {
  const between = words.slice(1, -1).filter((word) => word.length === 1 || NAME_PARTICLES.has(word)).length;
  return words.length - between <= MAX_NAMES;
}

function looksLikeProduct(words: readonly string[], name: string): boolean {
  const last = words.at(-1) ?? '';
  if (name.split(/\s+/u).some((word) => CAMEL_CASE.test(word.replace(NAME_PREFIX, '')))) return true;
  if (COMPANY_ENDINGS.has(last)) return true;
  return (
    words.length === 1 &&
    !GIVEN_NAMES.has(last) &&
    (PRODUCT_ENDING.test(last) || isKnownTool(last) || KNOWN_ORGANIZATIONS.has(last))
  );
}

/** Matches GitHub and OpenAI; NAME_PREFIX excludes McDonald, LeBron and DeShawn. */
const CAMEL_CASE = /\p{Ll}\p{Lu}/u;
const NAME_PREFIX = /^(?:Mc|Mac|De|Di|Du|La|Le|Van|O['’]?|D['’]?|Fitz)(?=\p{Lu})/u;
const PRODUCT_ENDING = /.(?:db|sql|app|labs|hub|ops|soft|bot)$/u;

function lettersOf(word: string): string {
  return word.normalize('NFKC').toLowerCase().replace(/['’.]/gu, '');
}
