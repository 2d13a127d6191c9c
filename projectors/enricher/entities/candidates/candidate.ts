/** A candidate for an entity: the finders propose it, the quality gate checks it. */
import type { EntityCategory } from '../../../../shared/contract/entities/entity.js';
import type { Page, Word } from '../read-page.js';

export type Candidate = {
  readonly category: EntityCategory;
  readonly name: string;
  /** Its position in the text, so that two candidates never share text. */
  readonly start: number;
  readonly end: number;
};

export type FindCandidates = (page: Page) => readonly Candidate[];

/** The words as one candidate; none for an empty list. */
export function candidateOf(category: EntityCategory, words: readonly Word[]): readonly Candidate[] {
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) return [];
  return [{ category, name: words.map(({ text }) => text).join(' '), start: first.start, end: last.end }];
}
