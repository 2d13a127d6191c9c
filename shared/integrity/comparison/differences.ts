/** What can differ between the journal, the graph and the vector index. */

export const DIFFERENCES = {
  'graph lacks': 'The journal has it, the graph does not',
  'graph is older': 'The graph has an earlier version than the journal',
  'graph is newer': 'The graph has a later version than the journal',
  'graph differs': 'The version is the same, the content is not',
  'graph has extra': 'The graph has it, the journal does not or has its deletion',
  'index lacks': 'The graph has the memory, the index has no point of it',
  'index is older': 'The point has an earlier version than the memory',
  'index is newer': 'The point has a later version than the memory',
  'index differs': 'The version is the same, a filter field of the point is not',
  'index has another model': 'Another model made the vector of the point',
  'index has extra': 'The index has a point, the graph has no such memory',
} as const;

export type DifferenceKind = keyof typeof DIFFERENCES;

/** `subject`: the id of a memory, or an association as the journal names it. */
export type Difference = { readonly kind: DifferenceKind; readonly subject: string };

/**
 * Both texts are equal exactly if both values have the same content: keys in order, without null and undefined, which
 * stores do not keep.
 */
export function isSameContent(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    const entries = Object.entries(part).filter(([, content]) => content !== null && content !== undefined);
    return Object.fromEntries(entries.sort(([first], [second]) => (first < second ? -1 : 1)));
  });
}
