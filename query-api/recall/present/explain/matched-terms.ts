/** Finds the terms and words of a query in a memory, pure: the keyword and tag components are computed from them. */
import type { Memory } from '../../../../shared/contract/memory.js';
import type { RecallPlan } from '../../plan/recall-plan.js';
import { metadataTerms } from '../../score/metadata-terms.js';
import { containsPhrase, type TermText } from '../../score/term-text.js';

export type MatchedTerms = {
  /** Analysed terms, by the part of the memory that contains them. */
  readonly content: readonly string[];
  readonly tags: readonly string[];
  readonly missing: readonly string[];
  /** The part that contains all terms one after the other; null for a query of one term, which is no phrase. */
  readonly phrase: 'content' | 'tags' | null;
  /** The words of the query as written that are a whole tag, or a word or value of the metadata. */
  readonly words: { readonly tags: readonly string[]; readonly metadata: readonly string[] };
};

export function matchedTerms(
  { content, tags, metadata }: Memory,
  { terms, words }: Pick<RecallPlan, 'terms' | 'words'>,
  termText: TermText,
): MatchedTerms {
  const contentText = termText(content);
  const tagTexts = tags.map(termText);
  const inContent = (...phrase: readonly string[]): boolean => containsPhrase(contentText, phrase);
  const inTags = (...phrase: readonly string[]): boolean => tagTexts.some((tag) => containsPhrase(tag, phrase));
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
