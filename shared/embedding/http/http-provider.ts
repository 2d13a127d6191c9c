/** What tells one remote provider from another: its requests and its answers. Everything else is `create-http-embedder.ts`. */
export type Purpose = 'query' | 'document';

export type EmbeddingRequest = {
  readonly texts: readonly string[];
  readonly purpose: Purpose;
  /** The size to ask for; null when the provider is to answer in its own size. */
  readonly dimension: number | null;
  readonly signal?: AbortSignal;
};

export type HttpProvider = {
  /** How messages call it: `OpenAI`, `Ollama`, `Voyage`. Its address is never in a message. */
  readonly name: string;
  /** Names provider and model; the embedder adds the dimension. */
  readonly model: string;
  /** Texts in one call, at most. */
  readonly batchLimit: number;
  /** One raw vector for each text, in order, as the provider answered them; not yet checked. */
  readonly request: (request: EmbeddingRequest) => Promise<readonly unknown[]>;
};
