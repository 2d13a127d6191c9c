/** The source files of the repository and their imports, for the architecture tests. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** The compiled file is in `dist/test/support/checks`. */
export const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));

export type SourceFile = {
  /** Path from the repository root, with slashes. */
  readonly path: string;
  readonly folder: string;
  readonly text: string;
  /** Paths of the imported source files. */
  readonly files: readonly string[];
  /** Names of the imported packages, without paths inside them and without Node's modules. */
  readonly packages: readonly string[];
};

const FOLDERS = ['shared', 'command-api', 'query-api', 'projectors', 'deploy', 'test'];
/** AssemblyScript sources: another compiler builds them, for WebAssembly. */
const WASM_SOURCES = 'shared/engines/sqlite/vectors/kernel/';

export function readSourceFiles(): readonly SourceFile[] {
  return FOLDERS.flatMap((folder) => readdirSync(join(REPOSITORY, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.tsx?$/u.test(entry.name))
    .map((entry) => relative(REPOSITORY, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.startsWith(WASM_SOURCES))
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
    files: specifiers.filter(isOurs).map((specifier) => sourceOf(folder, specifier)),
    packages: specifiers.filter((specifier) => !isOurs(specifier) && !specifier.startsWith('node:')).map(packageOf),
  };
}

/** The source behind the specifier of an import. */
export function sourceOf(folder: string, specifier: string): string {
  const path = posix.join(folder, specifier).replace(/\.js$/u, '.ts');
  return existsSync(join(REPOSITORY, `${path}x`)) ? `${path}x` : path;
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
