/** Voyage AI: distinguishes queries from documents, and makes vectors of four sizes. */
import type { HttpProvider } from './http-provider.js';
import { inOrder } from './openai.js';
import { type Endpoint, postJson } from './post-json.js';
import { listIn } from './read-vectors.js';

export const VOYAGE_DIMENSIONS: readonly number[] = [256, 512, 1_024, 2_048];

export function voyageProvider({
  apiKey,
  baseUrl,
  model,
  ...limits
}: Pick<Endpoint, 'timeoutMs' | 'retryDelaysMs'> & {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly model: string;
}): HttpProvider {
  const endpoint: Endpoint = {
    ...limits,
    provider: 'Voyage',
    url: `${baseUrl}/embeddings`,
    headers: { authorization: `Bearer ${apiKey}` },
    variables: 'VOYAGE_API_KEY, VOYAGE_BASE_URL and VOYAGE_MODEL',
  };
  return {
    name: 'Voyage',
    model: `voyage/${model}`,
    batchLimit: 128,
    request: async ({ texts, purpose, dimension, signal }) => {
      const body = {
        model,
        input: texts,
        input_type: purpose,
        truncation: true,
        output_dimension: dimension ?? undefined,
      };
      return inOrder(listIn(await postJson(endpoint, body, signal), 'data', 'Voyage'));
    },
  };
}
