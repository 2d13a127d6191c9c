/** A tag as whole words between blanks, pure, so that a tag within a tag is found as a part of a text: `go` in `lang:go`, not in `category`. */
export function tagPhrase(tag: string): string {
  const words = tag.toLowerCase().match(/[\p{L}\p{N}\p{M}\p{So}+#]+/gu) ?? [];
  return words.length === 0 ? '' : ` ${words.join(' ')} `;
}
