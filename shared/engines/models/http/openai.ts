/** OpenAI and servers with a compatible embeddings API (LM Studio, vLLM, LiteLLM, Azure behind a proxy). */
import type { EmbeddingRequest, HttpProvider } from './http-provider.js';
import { type Endpoint, postJson } from './post-json.js';
import { listIn } from './read-vectors.js';

export const OPENAI_BASE_URL = 'https://api.openai.com/v1';
export const OPENAI_SMALL_LIMIT = 1_536;
export const OPENAI_LARGE_LIMIT = 3_072;
const SMALL_MODEL = 'text-embedding-3-small';
const LARGE_MODEL = 'text-embedding-3-large';

type OpenAiSettings = Pick<Endpoint, 'timeoutMs' | 'retryDelaysMs'> & {
  readonly apiKey: string | null;
  readonly baseUrl: string;
  readonly model: string;
};

export function openAiProvider({ apiKey, baseUrl, model, ...limits }: OpenAiSettings): HttpProvider {
  const endpoint: Endpoint = {
    ...limits,
    provider: 'OpenAI',
    url: `${baseUrl}/embeddings`,
    headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
    variables: 'OPENAI_API_KEY, OPENAI_BASE_URL and EMBEDDING_MODEL',
  };
  return {
    name: 'OpenAI',
    model: `openai/${model}`,
    batchLimit: 2_048,
    request: async (request) => {
      const answer = await postJson(endpoint, openAiBody(request, { baseUrl, model }), request.signal);
      return inOrder(listIn(answer, 'data', 'OpenAI'));
    },
  };
}

/** Sends `dimensions` only to OpenAI: compatible servers answer 400 to it or ignore it. */
export function openAiBody(
  { texts, dimension }: EmbeddingRequest,
  { baseUrl, model }: Pick<OpenAiSettings, 'baseUrl' | 'model'>,
): object {
  const body = { model, input: texts, encoding_format: 'float' };
  return dimension !== null && takesDimensions({ baseUrl, model }) ? { ...body, dimensions: dimension } : body;
}

export function takesDimensions({ baseUrl, model }: Pick<OpenAiSettings, 'baseUrl' | 'model'>): boolean {
  return new URL(baseUrl).hostname === 'api.openai.com' && model.startsWith('text-embedding-3');
}

/** The small model makes at most 1,536 dimensions; above that, the large model is used. */
export function openAiModelFor(model: string, dimension: number): string {
  return model === SMALL_MODEL && dimension > OPENAI_SMALL_LIMIT ? LARGE_MODEL : model;
}

/** Sorts the vectors of a response by their index; a response may have any order. */
export function inOrder(data: readonly unknown[]): readonly unknown[] {
  const items = data as readonly ({ readonly index?: number; readonly embedding?: unknown } | null)[];
  return [...items].sort((a, b) => (a?.index ?? 0) - (b?.index ?? 0)).map((item) => item?.embedding);
}
