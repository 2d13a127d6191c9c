/**
 * How well a memory holds an identifier of a query, pure: 1 for the rarest of them whole, 0 for none. A sentence with a ticket or a path in
 * it is about that one thing, so that a memory which holds it comes before all that merely share the sentence's words, however many.
 */
import type { Memory } from '../../shared/contract/memory.js';
import type { Identifier } from '../../shared/text/identifiers.js';
import { rarity } from './rarity.js';
import { joinTerms, type TermText } from './term-text.js';

const TAG_SHARE = 0.5;

/**
 * One number for each memory, in their order; null where no memory holds any. Of several the best decides, each by how rare it is beside the
 * rarest: what is known of either of two tickets answers a question about both. That all are held shows in the other words.
 */
export function identifierMatches(
  identifiers: readonly Identifier[],
  pool: readonly Memory[],
  termText: TermText,
): readonly number[] | null {
  if (identifiers.length === 0) return null;
  const texts = pool.map(({ content, tags }) => ({ content: termText(content), tags: tags.map(termText) }));
  const shares = identifiers.map((identifier) =>
    texts.map(({ content, tags }) => {
      if (holds(content, identifier)) return 1;
      return tags.some((tag) => holds(tag, identifier)) ? TAG_SHARE : 0;
    }),
  );
  if (!shares.some((byMemory) => byMemory.some((share) => share > 0))) return null;
  const weights = shares.map((byMemory) => rarity(byMemory.filter((share) => share > 0).length, pool.length));
  const largest = Math.max(...weights);
  return pool.map((_, memory) =>
    Math.max(...weights.map((weight, index) => (weight / largest) * (shares[index]?.[memory] ?? 0))),
  );
}

/**
 * Identifiers count as much as all terms of the query together, phrase included: by this half a memory that holds one has no less than any
 * that does not, and by the other half those that do are told apart.
 */
export function withIdentifiers(keywords: readonly number[], identifiers: readonly number[] | null): readonly number[] {
  return identifiers === null ? keywords : keywords.map((keyword, index) => (keyword + (identifiers[index] ?? 0)) / 2);
}

function holds(text: string, { whole, parts }: Identifier): boolean {
  return text.includes(joinTerms([whole])) || (parts.length > 0 && text.includes(joinTerms(parts)));
}
