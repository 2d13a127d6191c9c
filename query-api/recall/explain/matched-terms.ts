/** Which terms and words of a query a memory holds, and where, pure: what the keyword and the tag component are made of. */
import type { Memory } from '../../../shared/contract/memory.js';
import { metadataTerms } from '../metadata-terms.js';
import type { RecallPlan } from '../plan.js';
import { joinTerms, type TermText } from '../term-text.js';

export type MatchedTerms = {
  /** Analysed terms, by where they stand. */
  readonly content: readonly string[];
  readonly tags: readonly string[];
  readonly missing: readonly string[];
  /** Where all terms stand one after the other; null for a query of one term, which is no phrase. */
  readonly phrase: 'content' | 'tags' | null;
  /** The query's words as they are written that are a whole tag, or a word or value of the metadata. */
  readonly words: { readonly tags: readonly string[]; readonly metadata: readonly string[] };
};

export function matchedTerms(
  { content, tags, metadata }: Memory,
  { terms, words }: Pick<RecallPlan, 'terms' | 'words'>,
  termText: TermText,
): MatchedTerms {
  const contentText = termText(content);
  const tagTexts = tags.map(termText);
  const inContent = (...phrase: readonly string[]): boolean => contentText.includes(joinTerms(phrase));
  const inTags = (...phrase: readonly string[]): boolean => tagTexts.some((tag) => tag.includes(joinTerms(phrase)));
  const wholeTags = new Set(tags.map((tag) => tag.toLowerCase()));
  const metadataWords = metadataTerms(metadata);
  const phrase = (): MatchedTerms['phrase'] => {
    if (terms.length < 2) return null;
    if (inContent(...terms)) return 'content';
    return inTags(...terms) ? 'tags' : null;
  };
  return {
    content: terms.filter((term) => inContent(term)),
    tags: terms.filter((term) => inTags(term)),
    missing: terms.filter((term) => !inContent(term) && !inTags(term)),
    phrase: phrase(),
    words: {
      tags: words.filter((word) => wholeTags.has(word)),
      metadata: words.filter((word) => metadataWords.has(word)),
    },
  };
}
