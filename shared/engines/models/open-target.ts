/**
 * Opens the embedder of a vector space: the variables of the configuration, with provider, model and size of the target
 * in their place.
 */
import { ConfigurationError } from '../../kernel/config/config.js';
import type { EmbeddingTarget, OpenTarget } from '../../ports/vector-spaces.js';
import { chooseEmbedder, type EmbedderOpening, providersFor } from './choose-embedder.js';
import type { EmbeddingSettings } from './embedding-variables.js';

/** The embedder throws ConfigurationError as `chooseEmbedder` does. */
export function createOpenTarget({ settings, ...opening }: EmbedderOpening): OpenTarget {
  return async (target) =>
    chooseEmbedder({ ...opening, settings: target === null ? settings : settingsOf(target, settings) });
}

/** The provider that the settings lead to; with `auto` the first one that is configured. */
export function configuredProvider(settings: EmbeddingSettings): EmbeddingTarget['provider'] {
  return providersFor(settings)[0] ?? 'bundled';
}

/** The configured size belongs to the configured model, so a target without a size gets the default of its model. */
export function settingsOf(
  { provider, model, vectorSize }: EmbeddingTarget,
  { VECTOR_SIZE: _configured, ...settings }: EmbeddingSettings,
): EmbeddingSettings {
  return {
    ...settings,
    EMBEDDING_PROVIDER: provider,
    VECTOR_SIZE: vectorSize,
    ...(model !== undefined && modelVariable(provider, model)),
  };
}

function modelVariable(provider: EmbeddingTarget['provider'], model: string): Partial<EmbeddingSettings> {
  switch (provider) {
    case 'openai':
      return { EMBEDDING_MODEL: model };
    case 'ollama':
      return { OLLAMA_MODEL: model };
    case 'voyage':
      return { VOYAGE_MODEL: model };
    case 'bundled':
      throw new ConfigurationError(['the bundled encoder has one model: leave the model out']);
    default:
      return provider satisfies never;
  }
}
