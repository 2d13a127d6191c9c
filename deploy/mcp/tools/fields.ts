/** Checks of arguments that no JSON schema can express, and single fields of the service's replies. */
import type { ClientAnswer } from '../../../shared/client/client.js';
import { RECEIPT_HEADER } from '../../../shared/contract/commands.js';
import type { MemoryId } from '../../../shared/contract/memory.js';
import { parseMemoryId } from '../../../shared/kernel/memory-id.js';
import { failed, type ToolAnswer } from '../tool.js';

export type Answered = Extract<ClientAnswer, { readonly kind: 'answered' }>;
export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf({ body }: Answered): Fields {
  // The client returns JSON objects only.
  return body as Fields;
}

export function textAt(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
}

export function numberAt(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  return typeof value === 'number' ? value : undefined;
}

/** The receipt of the write, for `consistent_with` of a recall. */
export function positionIn({ headers }: Answered): { readonly position?: string } {
  const position = headers.get(RECEIPT_HEADER);
  return position === null ? {} : { position };
}

/** Null for a text that is not a UUID. The id becomes part of a path, so no other text may pass. */
export function readMemoryId(text: string): MemoryId | null {
  return parseMemoryId(text.trim());
}

/** Begins with the message of the service. */
export function invalidMemoryId(field: string): ToolAnswer {
  return failed(`${field} must be a valid UUID\nNothing was written. Find the id with recall_memory and call again.`);
}

/** The names of the present arguments that are not in `allowed`. */
export function argumentsExcept(input: Fields, allowed: readonly string[]): readonly string[] {
  return Object.keys(input).filter((name) => input[name] !== undefined && !allowed.includes(name));
}

export function quoted(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}

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
