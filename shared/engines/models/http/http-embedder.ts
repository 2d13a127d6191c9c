/** The embedder over a remote provider: it truncates texts, splits them into calls, and checks every vector. */
import { withChildSpan } from '../../../kernel/tracing/tracing.js';
import type { Embedder } from '../../../ports/embedder.js';
import type { HttpProvider } from './http-provider.js';
import { rawVector, readVectors } from './read-vectors.js';

/** Every common model accepts this length in any script (8,191 tokens). The rest of a longer text is not embedded. */
export const TEXT_LIMIT_CHARACTERS = 8_000;

export function createHttpEmbedder({
  provider,
  dimension,
  batchSize,
}: {
  readonly provider: HttpProvider;
  readonly dimension: number;
  /** Texts in one call; a lower limit of the provider takes precedence. */
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
        const attributes = { 'palimpsest.provider': provider.name, 'palimpsest.texts': batch.length };
        const raw = await withChildSpan('embed', { kind: 'client', attributes }, () =>
          provider.request({ texts: batch, purpose, dimension, ...(signal && { signal }) }),
        );
        vectors.push(...readVectors(raw, { provider: provider.name, count: batch.length, dimension }));
      }
      return vectors;
    },
    close: async () => undefined,
  };
}

/** Measures the length of the provider's vectors with one request for this size (null: the size of the model). */
export async function measureDimension(provider: HttpProvider, dimension: number | null): Promise<number> {
  const [vector] = await provider.request({ texts: ['How long is a vector?'], purpose: 'query', dimension });
  return rawVector(vector, provider.name).length;
}
