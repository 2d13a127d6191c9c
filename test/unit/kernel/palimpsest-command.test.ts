import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { palimpsestCommand } from '../../../shared/kernel/palimpsest-command.js';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';

describe('palimpsestCommand', () => {
  let folder: TempFolder;
  before(async () => void (folder = await createTempFolder()));
  after(() => folder.remove());

  it('names the binary, and in a checkout npx', async () => {
    const root = pathToFileURL(`${folder.path}/`);
    expect(palimpsestCommand('migrate', root)).to.equal('`palimpsest migrate`');
    await writeFile(join(folder.path, 'tsconfig.json'), '{}');
    expect(palimpsestCommand('migrate', root)).to.equal('`npx palimpsest migrate`');
    expect(palimpsestCommand('rebuild graph')).to.equal('`npx palimpsest rebuild graph`');
  });
});
