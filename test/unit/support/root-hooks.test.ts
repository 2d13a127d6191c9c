/** The mocha hooks of the whole run, in a run of its own over small files. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createTempFolder } from '../../support/fixtures/temp-folder.js';

const MOCHA = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
const HOOKS = fileURLToPath(new URL('../../support/processes/root-hooks.js', import.meta.url));
const UNTIL = new URL('../../support/checks/until.js', import.meta.url).href;

/** The server goes on to open connections while the clean file runs. */
const LEAKS = `import { existsSync } from 'node:fs';
import { connect, createServer } from 'node:net';
describe('leaking file', () => {
  it('leaves a server open', (done) => {
    const server = createServer().listen(0, '127.0.0.1', done);
    setInterval(() => existsSync('clean-file-ran') && connect(server.address().port), 20);
  });
});`;
const CLEAN = `import { writeFile } from 'node:fs/promises';
describe('clean file', () => {
  it('leaves nothing open', async () => {
    await writeFile('clean-file-ran', '');
    await new Promise((resolve) => setTimeout(resolve, 200));
  });
});`;
/** Keeps one of the two workers busy, so that the two other files share a worker. */
const BUSY = `import { existsSync } from 'node:fs';
import { until } from '${UNTIL}';
describe('busy file', () => {
  it('waits for the clean file', () => until('the clean file ran', () => existsSync('clean-file-ran')));
});`;

const FILES = { 'busy.test.mjs': BUSY, 'leaks.test.mjs': LEAKS, 'clean.test.mjs': CLEAN };

/** Runs mocha in a new folder of the three files and resolves with what it prints. */
async function mocha(...line: readonly string[]): Promise<string> {
  const folder = await createTempFolder();
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder.path, name), text);
  const command = [MOCHA, '--no-config', '--no-package', '--exit', '--timeout', '30000', '--require', HOOKS, ...line];
  const options = { cwd: folder.path, env: { PATH: process.env['PATH'] } };
  const output = await new Promise<string>((resolve) =>
    execFile(process.execPath, command, options, (_error, stdout, stderr) => resolve(stdout + stderr)),
  );
  await folder.remove();
  return output;
}

describe('root hooks', () => {
  let runs: readonly string[];
  before(async () => {
    runs = await Promise.all([
      mocha('leaks.test.mjs', 'clean.test.mjs'),
      mocha('--parallel', '--jobs', '2', ...Object.keys(FILES)),
    ]);
  });

  const expectOneFailure = (output: string | undefined, passing: number): void => {
    expect(output)
      .to.match(new RegExp(`${passing} passing`, 'u'))
      .and.to.match(/\b1 failing/u);
    expect(output?.match(/Error: .*/gu), output).to.deep.equal([
      'Error: leaks.test.mjs left resources open (TCPServerWrap): close each one in the test that opens it',
    ]);
  };

  it('blame the file that leaves a server open, not the next one in the same process', () =>
    expectOneFailure(runs[0], 2));

  it('blame the file that leaves a server open, not the next one in the same worker', () =>
    expectOneFailure(runs[1], 3));
});
