import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, statSync } from 'node:fs';
import { expect } from 'chai';
import { lockDataFolder } from '../../../../../shared/engines/sqlite/threads/lock-data-folder.js';
import { createTempFolder, type TempFolder } from '../../../../support/fixtures/temp-folder.js';

describe('data folder lock', () => {
  let temporary: TempFolder;
  beforeEach(async () => {
    temporary = await createTempFolder();
  });
  afterEach(() => temporary.remove());

  it('rejects a second holder with a message that names the folder', () => {
    const lock = lockDataFolder(temporary.path);
    expect(() => lockDataFolder(temporary.path)).to.throw(
      `The data folder ${temporary.path} is in use by another process`,
    );
    lock.release();
  });

  it('can be acquired again after its release', () => {
    lockDataFolder(temporary.path).release();
    lockDataFolder(temporary.path).release();
  });

  it('keeps the mode of an existing folder', () => {
    chmodSync(temporary.path, 0o755);
    const { mode } = statSync(temporary.path);
    lockDataFolder(temporary.path).release();
    expect(statSync(temporary.path).mode).to.equal(mode);
  });

  it('blocks another process and is released when that process is killed', async () => {
    const module = new URL('../../../../../shared/engines/sqlite/threads/lock-data-folder.js', import.meta.url).href;
    const script = `import { lockDataFolder } from ${JSON.stringify(module)};
      lockDataFolder(process.argv[1]); console.log('locked'); setInterval(() => undefined, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, temporary.path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    expect(() => lockDataFolder(temporary.path)).to.throw('is in use by another process');
    child.kill('SIGKILL');
    await once(child, 'exit');
    lockDataFolder(temporary.path).release();
  });
});
