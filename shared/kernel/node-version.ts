/** The versions of Node that the service supports, as `engines` in package.json. */

/** The first supported minor version of a line. Lines without an entry are supported from their start. */
const FIRST_MINOR: Readonly<Record<number, number>> = { 20: 19, 22: 13 };
const OLDEST_LINE = 20;

/** Null for a version that can run the service; `version` is `process.versions.node`. */
export function nodeProblem(version: string): string | null {
  const [line = 0, minor = 0] = version.split('.').map(Number);
  if (line >= OLDEST_LINE && minor >= (FIRST_MINOR[line] ?? 0)) return null;
  return `Node ${version} is too old: install Node 20.19, 22.13, 24 or later`;
}
