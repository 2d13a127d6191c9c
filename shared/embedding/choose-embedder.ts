/**
 * From settings to the one embedder of this process. A provider that is named and cannot be used stops the start, and so does a size
 * that it cannot make; `auto` takes the first configured provider that answers, and nothing ever makes vectors up.
 */
import { ConfigurationError } from '../kernel/config.js';
import type { Logger } from '../kernel/logger.js';
import { BUNDLED_DIMENSION, createBundledEmbedder } from './bundled/create-bundled-embedder.js';
import { cacheQueryVectors } from './cache-query-vectors.js';
import type { Embedder } from './embedder.js';
import type { EmbeddingSettings } from './embedding-variables.js';
import { openRemote } from './http/open-remote.js';
import type { RemoteName } from './http/plan-remote.js';

type ProviderName = RemoteName | 'bundled';

export type EmbedderOpening = {
  readonly settings: EmbeddingSettings;
  readonly logger: Logger;
  /** Nobody waits for these vectors: an encoder on this machine gives way to other work. */
  readonly isBackground?: boolean;
};

export async function chooseEmbedder(opening: EmbedderOpening): Promise<Embedder> {
  const { settings, logger } = opening;
  const embedder = await open(opening);
  logger.info({ model: embedder.model, dimension: embedder.dimension }, 'The embedder is chosen');
  return cacheQueryVectors(embedder, { limit: settings.QUERY_VECTOR_LIMIT });
}

async function open(opening: EmbedderOpening): Promise<Embedder> {
  const { settings, logger } = opening;
  const named = settings.EMBEDDING_PROVIDER;
  for (const provider of providersFor(settings)) {
    if (provider === 'bundled') return openBundled(opening);
    const outcome = await openRemote(provider, settings, logger);
    if (outcome.kind === 'opened') return outcome.embedder;
    if (named !== 'auto') throw new ConfigurationError([`EMBEDDING_PROVIDER is ${named}, but ${outcome.problem}`]);
    logger.warn(
      { provider, problem: outcome.problem },
      'A configured embedding provider cannot be used; the next one is tried',
    );
  }
  return openBundled(opening);
}

/** Those to try, in order. */
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
        'EMBEDDING_PROVIDER is placeholder, but vectors that say nothing of the text are never stored: ' +
          'unset it, or set bundled, which needs no key and no network',
      ]);
    default:
      return settings.EMBEDDING_PROVIDER satisfies never;
  }
}

function openBundled({ settings, logger, isBackground }: EmbedderOpening): Promise<Embedder> {
  const size = settings.VECTOR_SIZE ?? BUNDLED_DIMENSION;
  if (size !== BUNDLED_DIMENSION) {
    throw new ConfigurationError([
      `VECTOR_SIZE is ${size}, but the bundled encoder makes vectors of ${BUNDLED_DIMENSION}: ` +
        'unset VECTOR_SIZE, or set EMBEDDING_PROVIDER and what that provider needs',
    ]);
  }
  return createBundledEmbedder({ workers: settings.EMBEDDING_WORKERS, logger, isBackground });
}
