/** The source files of the repository and what each imports, for the tests that hold the house to its plan. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** The compiled file stands in `dist/test/support`. */
export const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));

export type SourceFile = {
  /** From the root, with slashes. */
  readonly path: string;
  readonly folder: string;
  readonly text: string;
  /** Source files, by path. */
  readonly files: readonly string[];
  /** Packages, by name and without what is inside them; not Node's own. */
  readonly packages: readonly string[];
};

const ROOMS = ['shared', 'command-api', 'query-api', 'projectors', 'deploy', 'test'];
/** Compiled by another compiler, to another machine. */
const APART = 'shared/vectors/embedded/kernel/';

export function readSourceFiles(): readonly SourceFile[] {
  return ROOMS.flatMap((room) => readdirSync(join(REPOSITORY, room), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(REPOSITORY, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.startsWith(APART))
    .sort()
    .map(readSourceFile);
}

function readSourceFile(path: string): SourceFile {
  const text = readFileSync(join(REPOSITORY, path), 'utf8');
  const folder = dirname(path);
  const specifiers = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  const isOurs = (specifier: string): boolean => specifier.startsWith('.');
  return {
    path,
    folder,
    text,
    files: specifiers.filter(isOurs).map((specifier) => posix.join(folder, specifier).replace(/\.js$/u, '.ts')),
    packages: specifiers.filter((specifier) => !isOurs(specifier) && !specifier.startsWith('node:')).map(packageOf),
  };
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
