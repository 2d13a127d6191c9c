/** Trims the results to the number of tokens that the caller accepts, pure: best first, whole memories only. */
import type { Memory, MemoryId } from '../../../shared/contract/memory.js';
import type { SelectedResult } from '../select/select-results.js';

/**
 * English has about four letters per token. Bytes, not letters: other scripts need more tokens for fewer letters, and
 * more bytes.
 */
const BYTES_PER_TOKEN = 4;
/** For the other shown fields of a memory: id, type, time and score. */
const FRAME_TOKENS = 40;

export type Budget = {
  readonly maxTokens: number;
  /** Of the kept results; exceeds `maxTokens` only when the first result alone does. */
  readonly estimatedTokens: number;
  /** The dropped results, in their order. */
  readonly omitted: readonly MemoryId[];
};

export type Fitted = { readonly results: readonly SelectedResult[]; readonly budget: Budget | null };

/**
 * Keeps the results before the first one that does not fit, so that no result replaces a better one. The first result
 * always stays.
 */
export function fitBudget(results: readonly SelectedResult[], maxTokens: number | null): Fitted {
  if (maxTokens === null) return { results, budget: null };
  let estimatedTokens = 0;
  let kept = 0;
  for (const { memory } of results) {
    const tokens = estimateTokens(memory);
    if (kept > 0 && estimatedTokens + tokens > maxTokens) break;
    estimatedTokens += tokens;
    kept += 1;
  }
  return {
    results: results.slice(0, kept),
    budget: { maxTokens, estimatedTokens, omitted: results.slice(kept).map(({ memory }) => memory.id) },
  };
}

/** One token per four bytes of UTF-8 of content and tags, rounded up, plus 40 for the other fields. */
export function estimateTokens({ content, tags }: Pick<Memory, 'content' | 'tags'>): number {
  return FRAME_TOKENS + Math.ceil(Buffer.byteLength([content, ...tags].join(' ')) / BYTES_PER_TOKEN);
}
