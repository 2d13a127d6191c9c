/** Lists of words as they are read: separated by blanks and line ends. */
export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/u));
}
