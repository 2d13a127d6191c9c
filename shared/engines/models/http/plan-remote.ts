/** Reads from the settings which provider they describe and which vector size to request. Sends no request. */
import { ConfigurationError } from '../../../kernel/config/config.js';
import { trimTrailing } from '../../../kernel/validation/trim-characters.js';
import type { EmbeddingSettings } from '../embedding-variables.js';
import type { HttpProvider } from './http-provider.js';
import { OLLAMA_BASE_URL, ollamaProvider } from './ollama.js';
import { OPENAI_BASE_URL, OPENAI_LARGE_LIMIT, openAiModelFor, openAiProvider, takesDimensions } from './openai.js';
import type { Endpoint } from './post-json.js';
import { VOYAGE_DIMENSIONS, voyageProvider } from './voyage.js';

export type RemoteName = 'openai' | 'ollama' | 'voyage';

/** The size in the specification, for providers with selectable sizes. */
const DEFAULT_DIMENSION = 1_024;

export type Plan = {
  readonly kind: 'planned';
  readonly provider: (limits: Pick<Endpoint, 'timeoutMs' | 'retryDelaysMs'>) => HttpProvider;
  /** The requested vector size; null where the model has a fixed size. */
  readonly dimension: number | null;
};
/** A variable that the provider needs is not set. */
export type Unusable = { readonly kind: 'unusable'; readonly problem: string };

/** Throws ConfigurationError for settings that can never work. */
export function planRemote(name: RemoteName, settings: EmbeddingSettings): Plan | Unusable {
  switch (name) {
    case 'openai':
      return planOpenAi(settings);
    case 'ollama': {
      const baseUrl = address('OLLAMA_BASE_URL', settings.OLLAMA_BASE_URL ?? OLLAMA_BASE_URL);
      const model = settings.OLLAMA_MODEL ?? 'nomic-embed-text';
      return { kind: 'planned', provider: (limits) => ollamaProvider({ baseUrl, model, ...limits }), dimension: null };
    }
    case 'voyage':
      return planVoyage(settings);
    default:
      return name satisfies never;
  }
}

function planOpenAi(settings: EmbeddingSettings): Plan | Unusable {
  const baseUrl = address('OPENAI_BASE_URL', settings.OPENAI_BASE_URL ?? OPENAI_BASE_URL);
  const apiKey = settings.OPENAI_API_KEY ?? null;
  if (apiKey === null && settings.OPENAI_BASE_URL === undefined) {
    return {
      kind: 'unusable',
      problem: 'OPENAI_API_KEY is not set: set it, or OPENAI_BASE_URL to a server that needs no key',
    };
  }
  const size = settings.VECTOR_SIZE ?? DEFAULT_DIMENSION;
  const model = openAiModelFor(settings.EMBEDDING_MODEL, size);
  const isSized = takesDimensions({ baseUrl, model });
  if (isSized && size > OPENAI_LARGE_LIMIT) {
    throw new ConfigurationError([
      `VECTOR_SIZE is ${size}, but OpenAI makes vectors of at most ${OPENAI_LARGE_LIMIT}: lower it`,
    ]);
  }
  return {
    kind: 'planned',
    provider: (limits) => openAiProvider({ apiKey, baseUrl, model, ...limits }),
    dimension: isSized ? size : null,
  };
}

function planVoyage(settings: EmbeddingSettings): Plan | Unusable {
  const apiKey = settings.VOYAGE_API_KEY;
  if (apiKey === undefined) return { kind: 'unusable', problem: 'VOYAGE_API_KEY is not set: set it' };
  const size = settings.VECTOR_SIZE ?? DEFAULT_DIMENSION;
  if (!VOYAGE_DIMENSIONS.includes(size)) {
    throw new ConfigurationError([
      `VECTOR_SIZE is ${size}, but Voyage makes vectors of ${VOYAGE_DIMENSIONS.join(', ')}: set one of these`,
    ]);
  }
  const baseUrl = address('VOYAGE_BASE_URL', settings.VOYAGE_BASE_URL);
  return {
    kind: 'planned',
    provider: (limits) => voyageProvider({ apiKey, baseUrl, model: settings.VOYAGE_MODEL, ...limits }),
    dimension: size,
  };
}

/**
 * The address without trailing slashes. The error message leaves the address out, because it may contain a password.
 */
function address(variable: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    throw new ConfigurationError([`${variable} must be an http or https URL without user and password: change it`]);
  }
  return trimTrailing(text, '/');
}
