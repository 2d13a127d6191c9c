import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { mergeEnvironments, readEnvironment } from '../../../../shared/kernel/config/environment.js';

describe('readEnvironment', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'palimpsest-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('prefers the process, then .env in the folder, then the file of the user', () => {
    const [folder, home] = [join(root, 'project'), join(root, 'home')];
    mkdirSync(folder);
    mkdirSync(join(home, '.config', 'palimpsest'), { recursive: true });
    writeFileSync(join(folder, '.env'), 'A=folder\nB="in the folder"\n');
    writeFileSync(join(home, '.config', 'palimpsest', '.env'), 'A=home\nB=home\nC=home # of the user\n');
    expect(readEnvironment({ process: { A: 'process' }, folder, home })).to.deep.equal({
      A: 'process',
      B: 'in the folder',
      C: 'home',
    });
  });

  it('uses only the process without files', () => {
    expect(readEnvironment({ process: { A: '1' }, folder: root, home: root })).to.deep.equal({ A: '1' });
  });

  it('names the file that cannot be read', () => {
    mkdirSync(join(root, '.env'));
    expect(() => readEnvironment({ process: {}, folder: root, home: root })).to.throw(/\.env cannot be read/u);
  });

  it('lets a blank value hide the value of a later environment', () => {
    expect(mergeEnvironments([{ A: '' }, { A: '1', B: undefined }, { B: '2' }])).to.deep.equal({ A: '', B: '2' });
  });
});
