/** Normalizes tags, and gives the canonical form in which whole tags and cumulative prefixes are compared. */

/** Trims tags and drops blank ones and exact duplicates. Keeps upper and lower case. */
export function normalizeTags(tags: readonly string[]): string[] {
  const trimmed = tags.map((tag) => tag.trim()).filter((tag) => tag !== '');
  return [...new Set(trimmed)];
}

/**
 * Lower case, `/` becomes `:`, and empty parts are dropped: `Project/Foo:Bar` gives `project:foo:bar`, and `::` an
 * empty string.
 */
export function canonicalTag(tag: string): string {
  return tag
    .toLowerCase()
    .split(/[:/]/u)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(':');
}

/** The distinct cumulative prefixes of all tags, in order: `a:b:c` gives `a`, `a:b`, `a:b:c`. */
export function tagPrefixes(tags: readonly string[]): string[] {
  const prefixes = new Set<string>();
  for (const tag of tags) {
    const parts = canonicalTag(tag)
      .split(':')
      .filter((part) => part !== '');
    parts.forEach((_, index) => prefixes.add(parts.slice(0, index + 1).join(':')));
  }
  return [...prefixes];
}

/**
 * Whether the memory has the canonical tag, or one below it; null: always. A caller sees only what the tag of its key
 * admits.
 */
export function isWithin({ tag_prefixes }: { readonly tag_prefixes: readonly string[] }, tag: string | null): boolean {
  return tag === null || tag_prefixes.includes(tag);
}

/** The form in which whole tags are compared: trimmed and lower case, with unchanged delimiters. */
export function wholeTagKey(tag: string): string {
  return tag.trim().toLowerCase();
}
