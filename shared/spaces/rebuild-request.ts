/** The request of a job that makes a new vector space: the query API writes it, the projectors read it. */
import type { EmbeddingTarget } from '../ports/vector-spaces.js';

export type RebuildRequest = {
  readonly target: EmbeddingTarget | null;
  /** What the embedder of the target makes, as a probe found it. */
  readonly model: string;
  readonly dimension: number;
};
