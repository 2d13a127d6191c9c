/** A name that a text may hold: what the finders propose and the gate judges. */
import type { EntityCategory } from '../entity-category.js';
import type { Page, Word } from '../read-page.js';

export type Candidate = {
  readonly category: EntityCategory;
  readonly name: string;
  /** Where it stands, so that one stretch of text names one thing. */
  readonly start: number;
  readonly end: number;
};

export type FindCandidates = (page: Page) => readonly Candidate[];

/** The words from one index to before another as a candidate. */
export function candidateOf(category: EntityCategory, words: readonly Word[]): readonly Candidate[] {
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) return [];
  return [{ category, name: words.map(({ text }) => text).join(' '), start: first.start, end: last.end }];
}
