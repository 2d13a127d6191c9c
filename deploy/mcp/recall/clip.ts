/** Cuts a text for show, with an ellipsis that says so; a character of two halves is kept or left as a whole. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const isHalved = /[\ud800-\udbff]/u.test(text.charAt(limit - 1));
  return `${text.slice(0, isHalved ? limit - 1 : limit)}…`;
}
