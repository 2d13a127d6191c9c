/** Characters of a caller's text in a message; the text itself may have megabytes. */
const SHOWN_CHARACTERS = 100;

/** The beginning of a text, for a message. Never ends in half a surrogate pair. */
export function shorten(text: string, characters = SHOWN_CHARACTERS): string {
  return text.length <= characters ? text : `${text.slice(0, characters).replace(/[\ud800-\udbff]$/u, '')}...`;
}
