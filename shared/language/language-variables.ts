/** The variables of the language model, and the choice that they make. Without an API key or an endpoint of its own there is none. */
import { readVariables, type Environment, type Variable } from '../kernel/config.js';
import { createHttpLanguageModel, type HttpLanguageOptions } from './http/create-http-language-model.js';
import type { LanguageModel } from './language-model.js';
import { createNoLanguageModel } from './none/create-no-language-model.js';

export const languageVariables = [
  {
    name: 'LANGUAGE_PROVIDER',
    kind: 'choice',
    choices: ['auto', 'none', 'openai'],
    default: 'auto',
    description:
      'The model that classifies and summarises. `auto`: `openai` where there is a key or CLASSIFICATION_BASE_URL, else none.',
  },
  {
    name: 'CLASSIFICATION_MODEL',
    kind: 'text',
    default: 'gpt-4o-mini',
    description: 'Model that classifies and summarises.',
  },
  {
    name: 'CLASSIFICATION_BASE_URL',
    kind: 'text',
    description: 'OpenAI-compatible endpoint for it; default OPENAI_BASE_URL.',
  },
  { name: 'CLASSIFICATION_API_KEY', kind: 'secret', description: 'Key for it; default OPENAI_API_KEY.' },
  {
    name: 'OPENAI_BASE_URL',
    kind: 'text',
    description: 'OpenAI-compatible endpoint; default https://api.openai.com/v1.',
  },
  { name: 'OPENAI_API_KEY', kind: 'secret', description: 'Key of the OpenAI-compatible endpoint.' },
  {
    name: 'LANGUAGE_TIMEOUT_MS',
    kind: 'integer',
    minimum: 100,
    maximum: 20_000,
    default: '8000',
    unit: 'ms',
    description: 'How long one question to the model may take, its second attempt included.',
  },
] as const satisfies readonly Variable[];

export type LanguageConfig = Pick<HttpLanguageOptions, 'baseUrl' | 'apiKey' | 'model' | 'timeoutMs'> | null;

/** Null: no language model. */
export function languageConfig(environment: Environment): LanguageConfig {
  const values = readVariables(languageVariables, environment);
  const apiKey = values.CLASSIFICATION_API_KEY ?? values.OPENAI_API_KEY ?? null;
  // A keyless OPENAI_BASE_URL alone is as a rule an embedding server.
  const isConfigured = values.CLASSIFICATION_BASE_URL !== undefined || apiKey !== null;
  if (values.LANGUAGE_PROVIDER === 'none' || (values.LANGUAGE_PROVIDER === 'auto' && !isConfigured)) return null;
  return {
    baseUrl: values.CLASSIFICATION_BASE_URL ?? values.OPENAI_BASE_URL ?? 'https://api.openai.com/v1',
    apiKey,
    model: values.CLASSIFICATION_MODEL,
    timeoutMs: values.LANGUAGE_TIMEOUT_MS,
  };
}

export function createLanguageModel(
  config: LanguageConfig,
  deps: Pick<HttpLanguageOptions, 'logger' | 'clock'>,
): LanguageModel {
  return config === null ? createNoLanguageModel() : createHttpLanguageModel({ ...config, ...deps });
}
