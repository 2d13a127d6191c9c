/** Which programs a command line means: by name, or by group. */
import { LaunchError } from './launch-error.js';
import type { Program } from './program.js';

const GROUPS: Readonly<Record<string, readonly Program['kind'][]>> = {
  servers: ['server'],
  service: ['process', 'gateway'],
};

/** In the order of `programs`, each once. Throws a LaunchError that lists the names when one of them is none. */
export function choosePrograms(programs: readonly Program[], names: readonly string[]): readonly Program[] {
  const known = [...programs.map(({ name }) => name), ...Object.keys(GROUPS)];
  const stranger = names.find((name) => !known.includes(name));
  if (stranger !== undefined) throw new LaunchError(`There is no "${stranger}" here; there are ${known.join(', ')}`);
  return programs.filter(({ name, kind }) =>
    names.some((wanted) => wanted === name || GROUPS[wanted]?.includes(kind) === true),
  );
}
