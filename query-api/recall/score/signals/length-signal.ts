/**
 * Measures a memory by its length, pure, in two ways. Short memories (`Thanks, that is great!`) are near to every query
 * because of their few words, and answer none. Long ones contain many words of any query, and the part that answers is
 * small. Both bounds are near the quartiles of real conversations: 300 characters are a full thought, 2,000 are the
 * longest content by default.
 */
const FULL_THOUGHT_CHARACTERS = 300;
const LONGEST_CHARACTERS = 2_000;

/** How much the memory says: 0 to 1, 1 from 300 characters. */
export function lengthSignal(content: string): number {
  return Math.min(1, content.trim().length / FULL_THOUGHT_CHARACTERS);
}

/** How much longer than a full thought the memory is: 0 up to 300 characters, 1 from 2,000. */
export function verbositySignal(content: string): number {
  const excess = content.trim().length - FULL_THOUGHT_CHARACTERS;
  return Math.min(1, Math.max(0, excess / (LONGEST_CHARACTERS - FULL_THOUGHT_CHARACTERS)));
}
