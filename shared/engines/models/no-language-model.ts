/** The language model when none is configured: it never gives an answer. */
import type { LanguageModel } from '../../ports/language-model.js';

export function createNoLanguageModel(): LanguageModel {
  const noAnswer = (): Promise<null> => Promise.resolve(null);
  return { name: 'none', classify: noAnswer, summarize: noAnswer, describe: noAnswer };
}
