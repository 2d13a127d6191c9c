/** The language model when none is configured: it never gives an answer. */
import type { LanguageModel } from '../language-model.js';

export function createNoLanguageModel(): LanguageModel {
  return { name: 'none', classify: () => Promise.resolve(null), summarize: () => Promise.resolve(null) };
}
