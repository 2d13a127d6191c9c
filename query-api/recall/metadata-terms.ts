/** The words of a memory's metadata, pure: what the tag and exact components compare the query with. */
import { wordsOf } from './query-words.js';

const TERM_LENGTH_LIMIT = 256;
/** Deeper than anything people write; metadata is arbitrary JSON. */
const DEPTH_LIMIT = 16;

/** Every text of at most 256 characters in the values, as a whole in lower case and word by word. What was extracted is not a caller's word. */
export function metadataTerms({
  enrichment: _findings,
  enriched_at: _time,
  ...metadata
}: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const terms = new Set<string>();
  collect(metadata, 0, terms);
  return terms;
}

function collect(value: unknown, depth: number, terms: Set<string>): void {
  if (typeof value === 'string') {
    addText(value, terms);
  } else if (typeof value === 'object' && value !== null && depth < DEPTH_LIMIT) {
    for (const [key, inner] of Object.entries(value)) {
      if (key !== 'entities') collect(inner, depth + 1, terms);
    }
  }
}

function addText(text: string, terms: Set<string>): void {
  if (text.length > TERM_LENGTH_LIMIT) return;
  terms.add(text.trim().toLowerCase());
  for (const word of wordsOf(text)) terms.add(word);
}
