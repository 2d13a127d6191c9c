/** The stage that trims the answer to the size that the caller has room for, pure: best first, whole memories only. */
import type { Memory, MemoryId } from '../../shared/contract/memory.js';
import type { SelectedResult } from './select.js';

/** English has about four letters to a token. Bytes and not letters: other scripts take more tokens for fewer letters, and more bytes. */
const BYTES_PER_TOKEN = 4;
/** What a reader is shown beside the words: id, type, time and score. */
const FRAME_TOKENS = 40;

export type Budget = {
  readonly maxTokens: number;
  /** Of the results that stay; above `maxTokens` only where the first alone is. */
  readonly estimatedTokens: number;
  /** In their order. */
  readonly omitted: readonly MemoryId[];
};

export type Fitted = { readonly results: readonly SelectedResult[]; readonly budget: Budget | null };

/** The results up to the first that does not fit, so that none stands in the answer before a better one; the first always stays. */
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

/** For the content and the tags one token for every four bytes of UTF-8, begun ones counted, and 40 for what stands around them. */
export function estimateTokens({ content, tags }: Pick<Memory, 'content' | 'tags'>): number {
  return FRAME_TOKENS + Math.ceil(Buffer.byteLength([content, ...tags].join(' ')) / BYTES_PER_TOKEN);
}
