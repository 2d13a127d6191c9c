/**
 * Removes characters from the ends of a text in linear time. A pattern such as `/[/]+$/` is quadratic: it starts again
 * at every character of a long run that is not at the end.
 */

/** Removes the given characters from both ends. */
export function trimCharacters(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text.charAt(start))) start += 1;
  return trimTrailing(text.slice(start), characters);
}

/** Removes the given characters from the end. */
export function trimTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
