/** Ollama: uses its batch route, or in older releases the route with one text per call. */
import type { HttpProvider } from './http-provider.js';
import { type Endpoint, postJson, ProviderRefusedError } from './post-json.js';
import { listIn } from './read-vectors.js';

export const OLLAMA_BASE_URL = 'http://localhost:11434';

export function ollamaProvider({
  baseUrl,
  model,
  ...limits
}: Pick<Endpoint, 'timeoutMs' | 'retryDelaysMs'> & {
  readonly baseUrl: string;
  readonly model: string;
}): HttpProvider {
  const endpoint = (path: string): Endpoint => ({
    ...limits,
    provider: 'Ollama',
    url: `${baseUrl}${path}`,
    headers: {},
    variables: `OLLAMA_BASE_URL and OLLAMA_MODEL (ollama pull ${model})`,
  });
  let hasBatchRoute = true;

  async function requestOneByOne(
    texts: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<readonly unknown[]> {
    const vectors: unknown[] = [];
    for (const prompt of texts) {
      const answer = await postJson(endpoint('/api/embeddings'), { model, prompt }, signal);
      vectors.push((answer as { readonly embedding?: unknown } | null)?.embedding);
    }
    return vectors;
  }

  return {
    name: 'Ollama',
    model: `ollama/${model}`,
    batchLimit: 128,
    request: async ({ texts, signal }) => {
      if (!hasBatchRoute) return requestOneByOne(texts, signal);
      try {
        return listIn(await postJson(endpoint('/api/embed'), { model, input: texts }, signal), 'embeddings', 'Ollama');
      } catch (error) {
        // 404 means that either the route or the model is missing: the older route shows which
        if (!(error instanceof ProviderRefusedError) || error.status !== 404) throw error;
        const vectors = await requestOneByOne(texts, signal);
        hasBatchRoute = false;
        return vectors;
      }
    },
  };
}
