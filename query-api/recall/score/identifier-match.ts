/**
 * Scores how well a memory matches the identifiers of a query, pure: 1 when it contains the rarest one, 0 when it
 * contains none. A sentence with a ticket or a path is about that one thing, so a memory with the identifier ranks
 * above memories that share only other words of the sentence, however many.
 */
import type { Memory } from '../../../shared/contract/memory.js';
import type { Identifier } from '../../../shared/text/identifiers.js';
import { rarity } from '../../../shared/text/rarity.js';
import { type AnalysedText, containsPhrase, type TermText } from './term-text.js';

const TAG_SHARE = 0.5;

/**
 * One number per memory, in their order; null when no memory contains any identifier. Of several identifiers the best
 * one decides, weighted by its rarity relative to the rarest: a memory about one of two tickets answers a question
 * about both. The keyword match rewards a memory that contains all of them.
 */
export function identifierMatches(
  identifiers: readonly Identifier[],
  pool: readonly Memory[],
  termText: TermText,
): readonly number[] | null {
  if (identifiers.length === 0) return null;
  const texts = pool.map((memory) => ({ content: termText.ofContent(memory), tags: termText.ofTags(memory) }));
  const shares = identifiers.map((identifier) =>
    texts.map(({ content, tags }) => {
      if (containsIdentifier(content, identifier)) return 1;
      return tags.some((tag) => containsIdentifier(tag, identifier)) ? TAG_SHARE : 0;
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
 * Identifiers count half and all terms, including the phrase, the other half. So a memory with an identifier scores at
 * least as high as any memory without one, and the other half orders the memories with an identifier.
 */
export function withIdentifiers(keywords: readonly number[], identifiers: readonly number[] | null): readonly number[] {
  return identifiers === null ? keywords : keywords.map((keyword, index) => (keyword + (identifiers[index] ?? 0)) / 2);
}

function containsIdentifier(text: AnalysedText, { whole, parts }: Identifier): boolean {
  return containsPhrase(text, [whole]) || (parts.length > 0 && containsPhrase(text, parts));
}
