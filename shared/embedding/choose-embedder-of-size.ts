/** The embedder for an index that holds vectors already: it makes vectors of their size, whatever was asked for. */
import { ConfigurationError } from '../kernel/config.js';
import { chooseEmbedder, type EmbedderOpening } from './choose-embedder.js';
import type { Embedder } from './embedder.js';

/** Throws ConfigurationError when the provider cannot make them. */
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
