/** The tools of the bridge, in the order in which clients list them. */
import type { Tool } from './tool.js';

/** `tokenBudget` is what one recall may take of a model's context, in estimated tokens. */
export function createTools(_options: { readonly tokenBudget: number }): readonly Tool[] {
  return [];
}
