/** Collects the words of a memory's metadata, pure: the tag and exact components compare the query with them. */
import { oncePerObject } from '../../../shared/kernel/once-per-object.js';
import { wordsOf } from '../plan/query-text.js';

const TERM_LENGTH_LIMIT = 256;
/** Metadata is arbitrary JSON; people write nothing deeper. */
const DEPTH_LIMIT = 16;

/**
 * These fields name where a memory comes from, often by a number. A question with the same number asks for a date or an
 * amount, so only a whole id that is not a number is a term.
 */
const ID_FIELDS: ReadonlySet<string> = new Set(['source_id', 'session_id', 'conversation_id']);
const NUMBER = /^\d+$/u;

/**
 * Every text of at most 256 characters in the values, in lower case, as a whole and word by word. Findings of the
 * enrichment are left out, because the caller did not write them.
 */
export const metadataTerms = oncePerObject(
  ({
    enrichment: _findings,
    enriched_at: _time,
    ...metadata
  }: Readonly<Record<string, unknown>>): ReadonlySet<string> => {
    const terms = new Set<string>();
    collect(metadata, 0, terms);
    return terms;
  },
);

function collect(value: unknown, depth: number, terms: Set<string>): void {
  if (typeof value === 'string') {
    addText(value, terms);
  } else if (typeof value === 'object' && value !== null && depth < DEPTH_LIMIT) {
    for (const [key, inner] of Object.entries(value)) {
      if (ID_FIELDS.has(key)) addId(inner, terms);
      else if (key !== 'entities') collect(inner, depth + 1, terms);
    }
  }
}

function addId(id: unknown, terms: Set<string>): void {
  if (typeof id !== 'string' || id.length > TERM_LENGTH_LIMIT || NUMBER.test(id.trim())) return;
  terms.add(id.trim().toLowerCase());
}

function addText(text: string, terms: Set<string>): void {
  if (text.length > TERM_LENGTH_LIMIT) return;
  terms.add(text.trim().toLowerCase());
  for (const word of wordsOf(text)) terms.add(word);
}
