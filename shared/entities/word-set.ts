/** Reads a list of words that are separated by blanks and line breaks. */
export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/u));
}
