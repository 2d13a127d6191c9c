/** The one spelling of a reference in the embedding cache: the model, and the SHA-256 of what it was given. */
import { createHash } from 'node:crypto';

/** Equal for equal texts under one model (`Embedder.model`), so a replay finds what was paid for before. */
export function embeddingRef(model: string, text: string): string {
  return `${model}:${createHash('sha256').update(text).digest('hex')}`;
}
