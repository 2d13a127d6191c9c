/**
 * The size limits of content: content above the hard limit is rejected before the call, content above the soft limit
 * gets a warning.
 */
import { failed, type ToolAnswer } from '../tool.js';

export const CONTENT_HARD_LIMIT = 2_000;
/** The service may shorten longer content to a summary. */
export const CONTENT_SOFT_LIMIT = 500;
/** At most so many fields are named in one sentence. */
const NAMED_FIELDS = 10;

/** The size of one content, and its place in the arguments. */
export type SizedContent = { readonly field: string; readonly characters: number };

/** Counts as the service does: code points, without surrounding whitespace. */
export function sizeContent(content: string, field = 'content'): SizedContent {
  return { field, characters: [...content.trim()].length };
}

/** Null when no content exceeds the hard limit. */
export function refuseLargeContent(sizes: readonly SizedContent[]): ToolAnswer | null {
  const large = sizes.filter(({ characters }) => characters > CONTENT_HARD_LIMIT);
  const [first] = large;
  if (first === undefined) return null;
  const message =
    `Rejected before anything was sent: ${listed(large)} over the limit of ${CONTENT_HARD_LIMIT} characters. ` +
    'Nothing was written. Split it into several memories, or summarise it: 150 to 300 characters serve best.';
  return failed(message, {
    error: 'content_too_large',
    content_length: first.characters,
    hard_limit: CONTENT_HARD_LIMIT,
    message,
  });
}

/** Null when no content exceeds the soft limit. */
export function largeContentWarning(sizes: readonly SizedContent[]): string | null {
  const large = sizes.filter(({ characters }) => characters > CONTENT_SOFT_LIMIT);
  if (large.length === 0) return null;
  return `Warning: ${listed(large)} over ${CONTENT_SOFT_LIMIT} characters, and the service may shorten that to a summary. 150 to 300 characters serve best.`;
}

function listed(large: readonly SizedContent[]): string {
  const named = large
    .slice(0, NAMED_FIELDS)
    .map(({ field, characters }) => `${field} (${characters} characters)`)
    .join(', ');
  const more = large.length > NAMED_FIELDS ? ` and ${large.length - NAMED_FIELDS} more` : '';
  return `${named}${more} ${large.length === 1 ? 'is' : 'are'}`;
}
