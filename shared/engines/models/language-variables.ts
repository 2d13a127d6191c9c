/**
 * The configuration variables of the language model, and the model that they select: none without an API key or an
 * endpoint.
 */
import { type Environment, readVariables, type Variable } from '../../kernel/config/config.js';
import type { LanguageModel } from '../../ports/language-model.js';
import { createHttpLanguageModel, type HttpLanguageOptions } from './chat/http-language-model.js';

export const languageVariables = [
  {
    name: 'LANGUAGE_PROVIDER',
    kind: 'choice',
    choices: ['auto', 'none', 'openai'],
    default: 'auto',
    description:
      'The provider of the model that classifies and summarises. `auto`: `openai` when a key or CLASSIFICATION_BASE_URL is set, else none.',
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
    description: 'OpenAI-compatible endpoint of this model; default OPENAI_BASE_URL.',
  },
  { name: 'CLASSIFICATION_API_KEY', kind: 'secret', description: 'API key of this endpoint; default OPENAI_API_KEY.' },
  {
    name: 'OPENAI_BASE_URL',
    kind: 'text',
    description: 'OpenAI-compatible endpoint; default https://api.openai.com/v1.',
  },
  { name: 'OPENAI_API_KEY', kind: 'secret', description: 'API key of the OpenAI-compatible endpoint.' },
  {
    name: 'LANGUAGE_TIMEOUT_MS',
    kind: 'integer',
    minimum: 100,
    maximum: 20_000,
    default: '8000',
    unit: 'ms',
    description: 'Timeout of one question to the model, including its retry.',
  },
] as const satisfies readonly Variable[];

export type LanguageConfig = Pick<HttpLanguageOptions, 'baseUrl' | 'apiKey' | 'model' | 'timeoutMs'> | null;

/** Null when no language model is configured. */
export function languageConfig(environment: Environment): LanguageConfig {
  const values = readVariables(languageVariables, environment);
  const apiKey = values.CLASSIFICATION_API_KEY ?? values.OPENAI_API_KEY ?? null;
  // OPENAI_BASE_URL without a key is usually an embedding server
  const isConfigured = values.CLASSIFICATION_BASE_URL !== undefined || apiKey !== null;
  if (values.LANGUAGE_PROVIDER === 'none' || (values.LANGUAGE_PROVIDER === 'auto' && !isConfigured)) return null;
  return {
    baseUrl: values.CLASSIFICATION_BASE_URL ?? values.OPENAI_BASE_URL ?? 'https://api.openai.com/v1',
    apiKey,
    model: values.CLASSIFICATION_MODEL,
    timeoutMs: values.LANGUAGE_TIMEOUT_MS,
  };
}

export function createLanguageModel(config: LanguageConfig, deps: Pick<HttpLanguageOptions, 'logger'>): LanguageModel {
  return config === null ? createNoLanguageModel() : createHttpLanguageModel({ ...config, ...deps });
}

/** Describes entities with `model`, or with the configured model without one. Null without a language model. */
export function createDescribe(
  config: LanguageConfig,
  { model, logger }: { readonly model: string | undefined } & Pick<HttpLanguageOptions, 'logger'>,
): LanguageModel['describe'] | null {
  if (config === null) return null;
  const language = createHttpLanguageModel({ ...config, model: model ?? config.model, logger });
  return (entity) => language.describe(entity);
}

/** The language model when none is configured: it never gives an answer. */
export function createNoLanguageModel(): LanguageModel {
  const noAnswer = (): Promise<null> => Promise.resolve(null);
  return { name: 'none', classify: noAnswer, summarize: noAnswer, describe: noAnswer };
}
