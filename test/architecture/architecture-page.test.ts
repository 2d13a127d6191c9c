/** Compares the picture of the architecture page with the imports of the code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readSourceFiles, REPOSITORY } from '../support/checks/source-files.js';

const PAGE = 'deploy/docs/architecture.md';
const LONGEST_PAGE = 120;
const NODE = /^ {2}(\w+)\["([^"]+)"\]$/gmu;
const ARROW = /^ {2}\w+ --> \w+$/gmu;
/** Every layer may import it. */
const BASE = 'base';

describe('the architecture page', () => {
  const page = readFileSync(join(REPOSITORY, PAGE), 'utf8');
  const layers = new Map<string, string>();
  for (const [, node = '', label = ''] of page.matchAll(NODE)) {
    const folders = node === 'deploy' || !label.includes(': ') ? node : label.slice(label.indexOf(': ') + 2);
    for (const folder of folders.split(', ')) layers.set(folder, node);
  }

  function layerOf(path: string): string {
    const [top = '', second = ''] = path.split('/');
    return layers.get(top === 'shared' ? second : top) ?? `no layer of ${path}`;
  }

  it('draws each import between two layers, and no other arrow', () => {
    const imports = readSourceFiles()
      .filter(({ path }) => !path.startsWith('test/'))
      .flatMap(({ path, files }) => files.map((file) => [layerOf(path), layerOf(file)] as const))
      .filter(([from, to]) => from !== to && to !== BASE)
      .map(([from, to]) => `${from} --> ${to}`);
    const drawn = (page.match(ARROW) ?? []).map((arrow) => arrow.trim());
    expect(drawn.toSorted()).to.deep.equal([...new Set(imports)].toSorted());
  });

  it(`has at most ${LONGEST_PAGE} lines`, () => {
    expect(page.split('\n').length).to.be.at.most(LONGEST_PAGE);
  });
});
