/** Mistakes in the set-up of a machine: a process prints one sentence with a remedy and ends with exit code 1. */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { skipWithReason } from '../../support/checks/not-run.js';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { startChild } from '../../support/processes/child-process.js';

const EMBEDDED = 'deploy/embedded/main.js';
const UNUSED = '127.0.0.1:1';

describe('the start of a process', function () {
  let folder: TempFolder;
  beforeEach(async () => {
    folder = await createTempFolder();
  });
  afterEach(() => folder.remove());

  /** The whole output of a start that must fail. `line`: the file, and its arguments. */
  async function failedStart(line: string, variables: Readonly<Record<string, string>>): Promise<string> {
    const [main = '', ...rest] = line.split(' ');
    const child = startChild({ main, arguments: rest, folder: folder.path, variables: { PORT: '0', ...variables } });
    expect(await child.ended, child.output()).to.equal(1);
    return child.output();
  }

  for (const path of ['data', 'data/below']) {
    it(`names the remedy for a file in the place of the data folder: ${path}`, async () => {
      await writeFile(join(folder.path, 'data'), 'a file');
      expect(await failedStart(EMBEDDED, { PALIMPSEST_DATA_DIR: path })).to.equal(
        `The configuration cannot be used: The data folder ${join(folder.path, path)} cannot be made, because a file has its name or that of a folder above it: ` +
          'move the file, or set PALIMPSEST_DATA_DIR to another folder\n',
      );
    });
  }

  for (const [state, mode] of [
    ['a read-only', 0o555],
    ['an unreadable', 0o000],
  ] as const) {
    it(`names the remedy for ${state} data folder`, async function () {
      if (process.getuid?.() === 0) skipWithReason(this, `${state} data folder, because root may use every folder`);
      const data = join(folder.path, 'data');
      await mkdir(data);
      await chmod(data, mode);
      expect(await failedStart(EMBEDDED, { PALIMPSEST_DATA_DIR: data })).to.equal(
        `The configuration cannot be used: The data folder ${data} cannot be read and written by this user (EACCES): ` +
          'give this user access, or set PALIMPSEST_DATA_DIR to another folder\n',
      );
    });
  }

  for (const main of [EMBEDDED, 'command-api/main.js', 'deploy/mcp/main.js']) {
    it(`names the remedy for an unreadable .env: ${main}`, async () => {
      await mkdir(join(folder.path, '.env'));
      expect(await failedStart(main, {})).to.equal(
        `The configuration cannot be used: ${join(folder.path, '.env')} cannot be read: make it readable for this user, or remove it\n`,
      );
    });
  }

  for (const main of ['query-api/main.js', 'deploy/commands/main.js']) {
    it(`names the remedy for Node 18: ${main}`, async () => {
      const older = encodeURIComponent('Object.defineProperty(process.versions, "node", { value: "18.20.8" })');
      expect(await failedStart(main, { NODE_OPTIONS: `--import=data:text/javascript,${older}` })).to.equal(
        'Node 18.20.8 is too old: install Node 20.19, 22.13, 24 or later\n',
      );
    });
  }

  const processes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    [EMBEDDED]: { PALIMPSEST_DATA_DIR: '.env' },
    'command-api/relay/main.js': {
      POSTGRES_URL: `postgres://${UNUSED}/x`,
      KAFKA_BROKERS: UNUSED,
      START_TIMEOUT_MS: '1',
    },
    'deploy/commands/main.js migrate': { POSTGRES_URL: '' },
  };
  for (const [main, variables] of Object.entries(processes)) {
    it(`warns about a misspelt variable: ${main}`, async () => {
      await writeFile(join(folder.path, '.env'), 'RECALL_MAX_LIMT=3\nAPI_TOKEN=of another program\n');
      const warnings = (await failedStart(main, variables)).split('\n').filter((line) => line.includes('unknown'));
      expect(warnings.map((line) => JSON.parse(line) as object)).to.have.lengthOf(1);
      expect(JSON.parse(warnings[0] ?? '')).to.include({
        level: 'warn',
        variable: 'RECALL_MAX_LIMT',
        nearest: 'RECALL_MAX_LIMIT',
      });
    });
  }
});
