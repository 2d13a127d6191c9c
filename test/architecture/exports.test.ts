/** Checks that every export has a use: an import elsewhere, or at least a second mention in its own file. */
import { posix } from 'node:path';
import { expect } from 'chai';
import { readSourceFiles, type SourceFile, sourceOf } from '../support/checks/source-files.js';

const EXPORT = /^export (?:async )?(?:const|function|class|type|interface) (\w+)/gmu;
const IMPORT = /import (?:type )?\{([^}]*)\} from '([^']+)'/gu;
/** A dynamic import, or an import of the whole namespace. */
const WHOLE_IMPORT = /import(?:\(\s*| \* as \w+ from )'([^']+)'/gu;
/** Mocha imports these by the names that it defines. */
const LOADED_BY_NAME = ['test/support/processes/root-hooks.ts'];

type Source = Pick<SourceFile, 'path' | 'folder' | 'text'>;

describe('the exports', () => {
  it('are all used', () => {
    const advice = 'delete it, or stop exporting it';
    expect(unusedExports(readSourceFiles()).map((name) => `${name} is unused: ${advice}`)).to.deep.equal([]);
  });

  it('count as unused without an import and without a use in their own file', () => {
    const sources = [
      source('a/one.ts', 'export const used = 1;\nexport const own = 2;\nexport function idle() { return own; }\n'),
      source('b/two.ts', "import { used as other } from '../a/one.js';\nexport type Idle = typeof other;\n"),
    ];
    expect(unusedExports(sources)).to.deep.equal(['a/one.ts: idle', 'b/two.ts: Idle']);
  });

  it('count as used when a dynamic import takes their file', () => {
    const sources = [source('a/one.ts', 'export const late = 1;\n'), source('a/two.ts', "void import('./one.js');\n")];
    expect(unusedExports(sources)).to.deep.equal([]);
  });
});

function source(path: string, text: string): Source {
  return { path, folder: posix.dirname(path), text };
}

function unusedExports(sources: readonly Source[]): readonly string[] {
  const imported = new Set(sources.flatMap(importsOf));
  return sources
    .filter(({ path }) => !LOADED_BY_NAME.includes(path) && !imported.has(`${path}: *`))
    .flatMap(({ path, text }) =>
      [...text.matchAll(EXPORT)]
        .map(([, name = '']) => name)
        .filter((name) => !imported.has(`${path}: ${name}`) && text.split(new RegExp(`\\b${name}\\b`, 'u')).length < 3)
        .map((name) => `${path}: ${name}`),
    );
}

/** `path: name` for each imported name, `path: *` for each import of a whole file. */
function importsOf({ folder, text }: Source): readonly string[] {
  const pathOf = (specifier: string): string => sourceOf(folder, specifier);
  const named = [...text.matchAll(IMPORT)].flatMap(([, names = '', specifier = '']) =>
    names
      .split(',')
      .map((name) => /^\s*(?:type )?(\w+)/u.exec(name)?.[1] ?? '')
      .map((name) => `${pathOf(specifier)}: ${name}`),
  );
  const whole = [...text.matchAll(WHOLE_IMPORT)].map(([, specifier = '']) => `${pathOf(specifier)}: *`);
  return [...named, ...whole];
}
