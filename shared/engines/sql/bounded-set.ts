/** Ids of commands that a committer remembers, up to a limit; the oldest id is dropped first. */

const LIMIT = 10_000;

/** Adds an id and drops the oldest one above 10,000 ids. */
export function addBounded(ids: Set<string>, id: string): void {
  ids.add(id);
  if (ids.size > LIMIT) ids.delete(ids.values().next().value ?? id);
}
