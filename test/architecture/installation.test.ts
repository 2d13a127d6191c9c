/** Checks that `npm ci` has nothing to warn about. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { REPOSITORY } from '../support/checks/source-files.js';

describe('the installation', () => {
  it('has a decision about each package with an install script', () => {
    const { allowScripts } = read<{ readonly allowScripts: Readonly<Record<string, boolean>> }>('package.json');
    const { packages } = read<{ readonly packages: Readonly<Record<string, { readonly hasInstallScript?: true }>> }>(
      'package-lock.json',
    );
    const scripted = Object.keys(packages).filter((path) => path !== '' && packages[path]?.hasInstallScript);
    const names = scripted.map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
    expect(Object.keys(allowScripts).sort()).to.deep.equal([...new Set(names)].sort());
  });
});

function read<T>(file: string): T {
  return JSON.parse(readFileSync(join(REPOSITORY, file), 'utf8')) as T;
}
