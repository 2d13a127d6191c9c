/** Any remote provider as an embedder: texts bounded, split into calls, and every vector checked. */
import type { Embedder } from '../embedder.js';
import type { HttpProvider } from './http-provider.js';
import { rawVector, readVectors } from './read-vectors.js';

/** What every common model takes whole, in any script (8,191 tokens); the rest of a longer text is not embedded. */
export const TEXT_LIMIT_CHARACTERS = 8_000;

export function createHttpEmbedder({
  provider,
  dimension,
  batchSize,
}: {
  readonly provider: HttpProvider;
  readonly dimension: number;
  /** Texts in one call; the provider's own limit counts where it is lower. */
  readonly batchSize: number;
}): Embedder {
  const size = Math.min(batchSize, provider.batchLimit);
  return {
    model: `${provider.model}/${dimension}`,
    dimension,
    embed: async (texts, { purpose, signal }) => {
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += size) {
        const batch = texts.slice(start, start + size).map((text) => text.slice(0, TEXT_LIMIT_CHARACTERS));
        const raw = await provider.request({ texts: batch, purpose, dimension, ...(signal && { signal }) });
        vectors.push(...readVectors(raw, { provider: provider.name, count: batch.length, dimension }));
      }
      return vectors;
    },
    close: async () => undefined,
  };
}

/** Asks the provider once: how long are the vectors that it makes when this size is asked for (null: its own)? */
export async function measureDimension(provider: HttpProvider, dimension: number | null): Promise<number> {
  const [vector] = await provider.request({ texts: ['How long is a vector?'], purpose: 'query', dimension });
  return rawVector(vector, provider.name).length;
}
