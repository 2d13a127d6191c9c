/** Whether a word is a given name, and how sure that is. Words in lower case without accents. */
import { NAMESAKES, WORDS_THAT_NAME } from './doubtful-names.js';
import { GIVEN_NAMES } from './given-names.js';

export function isDoubtlessPerson(word: string): boolean {
  return GIVEN_NAMES.has(word) || word.split('-').every((part) => GIVEN_NAMES.has(part));
}

/** Somebody is called so, and something else as well. */
export function mayBePerson(word: string): boolean {
  return WORDS_THAT_NAME.has(word) || NAMESAKES.has(word);
}
