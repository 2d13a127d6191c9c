/** The differences between remote providers: their requests and responses. `http-embedder.ts` does everything else. */
export type Purpose = 'query' | 'document';

export type EmbeddingRequest = {
  readonly texts: readonly string[];
  readonly purpose: Purpose;
  /** The requested vector size; null for the size of the model. */
  readonly dimension: number | null;
  readonly signal?: AbortSignal;
};

export type HttpProvider = {
  /** The name in messages: `OpenAI`, `Ollama`, `Voyage`. Messages never contain the address. */
  readonly name: string;
  /** The name of provider and model; the embedder adds the dimension. */
  readonly model: string;
  /** Largest number of texts in one call. */
  readonly batchLimit: number;
  /** One raw vector for each text, in order, as the provider returned it; not yet checked. */
  readonly request: (request: EmbeddingRequest) => Promise<readonly unknown[]>;
};
