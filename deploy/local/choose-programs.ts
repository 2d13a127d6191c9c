/** Finds the programs that a command line names, by name or by group. */
import { LaunchError } from './launch-error.js';
import type { Program } from './programs/program.js';

const GROUPS: Readonly<Record<string, readonly Program['kind'][]>> = {
  servers: ['server'],
  service: ['process', 'gateway'],
};

/** In the order of `programs`, each once. Throws a LaunchError that lists the known names when a name is unknown. */
export function choosePrograms(programs: readonly Program[], names: readonly string[]): readonly Program[] {
  const known = [...programs.map(({ name }) => name), ...Object.keys(GROUPS)];
  const unknownName = names.find((name) => !known.includes(name));
  if (unknownName !== undefined) throw new LaunchError(`Unknown program "${unknownName}": use ${known.join(', ')}`);
  return programs.filter(({ name, kind }) =>
    names.some((wanted) => wanted === name || GROUPS[wanted]?.includes(kind) === true),
  );
}
