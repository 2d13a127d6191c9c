/** Tags: how they are normalised, and the one spelling in which whole tags and cumulative prefixes are compared. */

/** Trimmed, blank ones and exact duplicates dropped, first occurrence kept, case kept. */
export function normalizeTags(tags: readonly string[]): string[] {
  const trimmed = tags.map((tag) => tag.trim()).filter((tag) => tag !== '');
  return [...new Set(trimmed)];
}

/** Lower case, empty parts dropped, `/` read as `:`. `Project/Foo:Bar` is `project:foo:bar`; of `::` nothing is left. */
export function canonicalTag(tag: string): string {
  return tag
    .toLowerCase()
    .split(/[:/]/u)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(':');
}

/** Every cumulative prefix of every tag, first seen first: `a:b:c` gives `a`, `a:b`, `a:b:c`. */
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

/** The spelling in which whole tags are compared: trimmed and lower case, delimiters as they are. */
export function wholeTagKey(tag: string): string {
  return tag.trim().toLowerCase();
}
