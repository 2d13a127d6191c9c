/** Finds variables whose names are probably misspelt names of ours: the service would ignore them without a word. */
import type { Logger } from '../logger.js';
import { editDistance } from '../nearest-name.js';
import type { Environment } from './config.js';
import { VARIABLE_NAMES } from './variable-names.js';

/** Programs share an environment: a short word, such as URL or PORT, is often another name and not a mistake. */
const SHORTEST_MISSPELT_WORD = 5;
const CHARACTERS_PER_MISTAKE = 10;
const MISTAKES_LIMIT = 2;

export type MisspeltVariable = { readonly variable: string; readonly nearest: string };

/** Logs a warning for each. Every process calls it once at its start. */
export function warnOfMisspelt(environment: Environment, logger: Logger): void {
  for (const found of misspeltVariables(environment))
    logger.warn(found, 'unknown variable is ignored, a known one has nearly the same name');
}

export function misspeltVariables(environment: Environment): readonly MisspeltVariable[] {
  return Object.keys(environment)
    .filter((name) => name.includes('_') && !VARIABLE_NAMES.includes(name))
    .flatMap((variable) => {
      const nearest = VARIABLE_NAMES.find((known) => isMisspelling(variable, known));
      return nearest === undefined ? [] : [{ variable, nearest }];
    });
}

/** True when one or two letters of one long word differ. */
function isMisspelling(name: string, known: string): boolean {
  if (Math.abs(name.length - known.length) > MISTAKES_LIMIT) return false; // nearly all pairs
  const [words, knownWords] = [name.split('_'), known.split('_')];
  if (words.length !== knownWords.length) return false;
  const [differing, ...others] = knownWords.flatMap((word, index) =>
    words[index] === word ? [] : [[word, words[index] ?? ''] as const],
  );
  if (differing === undefined || others.length > 0 || differing[0].length < SHORTEST_MISSPELT_WORD) return false;
  return (
    editDistance(...differing) <=
    Math.min(MISTAKES_LIMIT, Math.floor(Math.min(name.length, known.length) / CHARACTERS_PER_MISTAKE))
  );
}
