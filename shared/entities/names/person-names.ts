/** Given names, and given names with a second meaning. All in lower case without accents. */
import { wordSet } from '../word-set.js';
import { GIVEN_NAMES } from './given-names.js';

/**
 * Common words (will, mark, grace). In the middle of a sentence the capital shows a name; at its beginning the capital
 * shows nothing.
 */
export const COMMON_WORDS_USED_AS_NAMES: ReadonlySet<string> =
  wordSet(`abbey ada amber angel art ash barb basil bill blaze brandi brandy brooke buck cal candid candida carol celeste chance charity chase christian clay
  cliff cody colt constance constantin cooper cora coral crystal daisy dale dawn dean dick dolores dot drew duke earl eve faith felicity fern finn
  fleur flora frank gale gene ginger grace grant harmony harper hazel heath heather herb holly hope hugo hunter iris ivy jade jasmine jay jewel joy
  jules kat kirk kit lance lane les lily luna lux luz mack magda marina mark mars mason max maxim melody mercy mick miles mina mira morgan myrtle
  nat ned nell norm olive ollie otto pam parker pat patience patty pearl peg penny perla pete piper poppy prudence ray reed regina rex rich rick
  robin rocky rod rose rosemary rowan royal rusty sage sal sally sandy scarlett shelly skip skye sonny starr storm sue sunny tad taylor ted tiffany
  trinity trip tucker tyler val van viola violet viv wade walker ward will willow woody wren young`);

/**
 * Months, places, tools and gods (april, paris, ruby, apollo): always capitalised, so only the words next to them show
 * a name.
 */
export const PROPER_NOUNS_USED_AS_NAMES: ReadonlySet<string> =
  wordSet(`adelaide alba alexa apollo april aria asia athena atlas august aurora austin autumn brooklyn cairo calypso carolina cassandra chad chelsea chester
  cheyenne china claude cleopatra cortana cuba cyrus dallas darian destiny diamond eden edison elixir ember florence franklin freya gemini genesis
  geneva georgia guadalupe helios helium hermes hestia homer houston hudson india israel jenkins jesus jordan june juno kali kent lambert lancaster
  lincoln loki lourdes madison may mercedes merlin milan mimir minerva napoleon nova odessa odin ophelia orion orlando paris pascal perseus phoenix
  prometheus puck rio roma roman romana ruby salome salvador santiago savannah siena sienna sierra siri summer sydney thor titan travis trinidad
  troy valencia vega verona victoria vienna virgil virginia winter zelda zen zion`);

/** A given name without a second meaning; also two of them with a hyphen. */
export function isGivenName(word: string): boolean {
  return GIVEN_NAMES.has(word) || word.split('-').every((part) => GIVEN_NAMES.has(part));
}

/** A given name with a second meaning. */
export function isAmbiguousName(word: string): boolean {
  return COMMON_WORDS_USED_AS_NAMES.has(word) || PROPER_NOUNS_USED_AS_NAMES.has(word);
}
