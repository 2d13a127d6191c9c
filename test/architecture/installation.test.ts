/** Checks that `npm ci` has nothing to warn about. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { REPOSITORY } from '../support/checks/source-files.js';

type Manifest = {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly workspaces: readonly string[];
  readonly allowScripts: Readonly<Record<string, boolean>>;
};
type Locked = { readonly resolved?: string; readonly hasInstallScript?: true };

/** Its install script fails where the host of the CUDA files cannot be reached, and npm then removes the package. */
const RUNTIME = 'onnxruntime-node';
const WEIGHTS = '@palimpsest/encoder-e5-small-v2';

describe('the installation', () => {
  const manifest = read<Manifest>('package.json');
  const { packages } = read<{ readonly packages: Readonly<Record<string, Locked>> }>('package-lock.json');

  it('has a decision about each package with an install script', () => {
    const scripted = Object.keys(packages).filter((path) => path !== '' && packages[path]?.hasInstallScript);
    const names = scripted.map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
    expect(Object.keys(manifest.allowScripts).sort()).to.deep.equal([...new Set([...names, RUNTIME])].sort());
  });

  it('runs no install script of the native runtime', () => {
    // npm 11 and later read allowScripts. Older ones run the scripts of packages that the lock file marks.
    const advice = `delete "hasInstallScript" of ${RUNTIME} in package-lock.json: npm wrote it again`;
    expect(manifest.allowScripts[RUNTIME]).to.equal(false);
    expect(packages[`node_modules/${RUNTIME}`], advice)
      .to.include.keys('version')
      .and.not.have.property('hasInstallScript');
  });

  it('links the weights in their exact version from the repository', () => {
    const locked = packages[`node_modules/${WEIGHTS}`]?.resolved ?? '';
    expect(manifest.workspaces).to.deep.equal([locked]);
    expect(manifest.dependencies[WEIGHTS]).to.equal(read<Manifest>(join(locked, 'package.json')).version);
  });
});

function read<T>(file: string): T {
  return JSON.parse(readFileSync(join(REPOSITORY, file), 'utf8')) as T;
}
