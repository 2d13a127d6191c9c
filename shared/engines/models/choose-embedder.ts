/**
 * Chooses the one embedder of this process from the settings. The start fails when the named provider cannot be used,
 * or cannot make vectors of the configured size. `auto` takes the first configured provider that answers. No provider
 * invents vectors.
 */
import { ConfigurationError } from '../../kernel/config/config.js';
import type { Logger } from '../../kernel/logger.js';
import type { Metrics } from '../../kernel/metrics/metrics.js';
import type { Embedder } from '../../ports/embedder.js';
import { BUNDLED_DIMENSION, createBundledEmbedder } from './bundled/bundled-embedder.js';
import type { EmbeddingSettings } from './embedding-variables.js';
import { openRemote } from './http/open-remote.js';
import { planRemote, type RemoteName } from './http/plan-remote.js';

type ProviderName = RemoteName | 'bundled';

export type EmbedderOpening = {
  readonly settings: EmbeddingSettings;
  readonly logger: Logger;
  /** No caller waits for these vectors: an encoder on this machine runs with a lower priority. */
  readonly isBackground?: boolean;
  readonly metrics?: Pick<Metrics, 'count' | 'report'> | undefined;
};

export async function chooseEmbedder(opening: EmbedderOpening): Promise<Embedder> {
  const { logger } = opening;
  const embedder = await open(opening);
  logger.info({ model: embedder.model, dimension: embedder.dimension }, 'embedder chosen');
  return embedder;
}

async function open(opening: EmbedderOpening): Promise<Embedder> {
  const { settings, logger } = opening;
  const named = settings.EMBEDDING_PROVIDER;
  for (const provider of providersFor(settings)) {
    if (provider === 'bundled') return openBundled(opening);
    const outcome = await openRemote(provider, settings, logger);
    if (outcome.kind === 'opened') return outcome.embedder;
    if (named !== 'auto') throw new ConfigurationError([`EMBEDDING_PROVIDER is ${named}, but ${outcome.problem}`]);
    logger.warn({ provider, problem: outcome.problem }, 'configured embedding provider cannot be used');
  }
  return openBundled(opening);
}

/** The providers to try, in order. */
export function providersFor(settings: EmbeddingSettings): readonly ProviderName[] {
  switch (settings.EMBEDDING_PROVIDER) {
    case 'auto':
      return [
        ...(settings.VOYAGE_API_KEY ? ['voyage' as const] : []),
        ...(settings.OPENAI_API_KEY ? ['openai' as const] : []),
        ...(settings.OLLAMA_BASE_URL || settings.OLLAMA_MODEL ? ['ollama' as const] : []),
        'bundled',
      ];
    case 'bundled':
    case 'local':
      return ['bundled'];
    case 'openai':
    case 'ollama':
    case 'voyage':
      return [settings.EMBEDDING_PROVIDER];
    case 'placeholder':
      throw new ConfigurationError([
        'EMBEDDING_PROVIDER is placeholder, but placeholder vectors, which ignore the text, are never stored: ' +
          'unset it, or set bundled, which needs no key and no network',
      ]);
    default:
      return settings.EMBEDDING_PROVIDER satisfies never;
  }
}

function openBundled({ settings, logger, isBackground, metrics }: EmbedderOpening): Promise<Embedder> {
  const size = settings.VECTOR_SIZE ?? BUNDLED_DIMENSION;
  if (size !== BUNDLED_DIMENSION) {
    throw new ConfigurationError([
      `VECTOR_SIZE is ${size}, but the bundled encoder makes vectors of ${BUNDLED_DIMENSION}: ` +
        'unset VECTOR_SIZE, or set EMBEDDING_PROVIDER and what that provider needs',
    ]);
  }
  return createBundledEmbedder({ workers: settings.EMBEDDING_WORKERS, logger, isBackground, metrics });
}

/**
 * The embedder for an index that already holds vectors of this size, which overrides the configured size. Throws
 * ConfigurationError when the provider cannot make vectors of this size.
 */
export async function chooseEmbedderOfSize(dimension: number, opening: EmbedderOpening): Promise<Embedder> {
  try {
    return await chooseEmbedder({ ...opening, settings: { ...opening.settings, VECTOR_SIZE: dimension } });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError([
      `the stored vectors have ${dimension} values, which no configured embedding provider makes: set EMBEDDING_PROVIDER, and what it needs, to the one ` +
        'that made them, or QDRANT_COLLECTION to another name',
    ]);
  }
}

/**
 * The vector size that these settings lead to, for processes that make no vectors themselves. Sends no request. Null
 * where only the model or its stored vectors can show the size. Throws ConfigurationError like chooseEmbedder.
 */
export function expectedDimension(settings: EmbeddingSettings): number | null {
  if (settings.VECTOR_SIZE !== undefined) return settings.VECTOR_SIZE;
  const [provider] = providersFor(settings);
  if (provider === undefined || provider === 'bundled') return BUNDLED_DIMENSION;
  const plan = planRemote(provider, settings);
  return plan.kind === 'planned' ? plan.dimension : null;
}
