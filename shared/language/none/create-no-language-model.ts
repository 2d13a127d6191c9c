/** Where no language model is configured: it never has an answer, and everything goes on without. */
import type { LanguageModel } from '../language-model.js';

export function createNoLanguageModel(): LanguageModel {
  return { name: 'none', classify: () => Promise.resolve(null), summarize: () => Promise.resolve(null) };
}
