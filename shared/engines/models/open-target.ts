/**
 * Opens the embedder of a vector space: the variables of the configuration, with provider, model and size of the target
 * in their place.
 */
import { ConfigurationError } from '../../kernel/config/config.js';
import type { EmbeddingTarget, OpenTarget } from '../../ports/vector-spaces.js';
import { cacheQueryVectors } from './cache-query-vectors.js';
import { chooseEmbedder, type EmbedderOpening, providersFor } from './choose-embedder.js';
import type { EmbeddingSettings } from './embedding-variables.js';
import type { ShareEmbedder } from './share-embedders.js';

/**
 * The embedder throws ConfigurationError as `chooseEmbedder` does. It has a cache of query vectors of its own, also
 * where tenants share its encoder: a fast answer does not show what another tenant asked.
 */
export function createOpenTarget({
  settings,
  share = (_key, open) => open(),
  ...opening
}: EmbedderOpening & { readonly share?: ShareEmbedder | undefined }): OpenTarget {
  return async (target) => {
    const chosen = target === null ? settings : settingsOf(target, settings);
    const key = JSON.stringify([opening.isBackground === true, chosen]);
    const embedder = await share(key, () => chooseEmbedder({ ...opening, settings: chosen }));
    return cacheQueryVectors(embedder, opening);
  };
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
