/** The modes of what the service and its commands write: memories are for the user of the process alone. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { skipWithReason } from '../../support/checks/not-run.js';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { startChild } from '../../support/processes/child-process.js';
import { runPalimpsest } from '../../support/processes/run-palimpsest.js';

const ADMIN_API_TOKEN = 'admin-token';

describe('files with memories', function () {
  let folder: TempFolder;
  before(async function () {
    if (process.platform === 'win32') skipWithReason(this, 'the modes of files: Windows has none');
    folder = await createTempFolder();
  });
  after(() => folder?.remove());

  it('can be read by the user of the process alone', async () => {
    const path = (name: string): string => join(folder.path, name);
    const modes: Record<string, string> = {};
    const note = async (...names: readonly string[]): Promise<void> => {
      for (const name of names) modes[name] = ((await stat(path(name))).mode & 0o777).toString(8);
    };
    const service = startChild({
      main: 'deploy/commands/main.js',
      arguments: ['serve'],
      folder: folder.path,
      variables: { PORT: '0', LOG_LEVEL: 'warn', PALIMPSEST_DATA_DIR: path('data'), ADMIN_API_TOKEN },
    });
    const [, port] = await service.prints(/http:\/\/[^\s:]+:(\d+)/u);
    const variables = {
      PALIMPSEST_URL: `http://127.0.0.1:${port}`,
      PALIMPSEST_DATA_DIR: path('data'),
      ADMIN_API_TOKEN,
    };
    for (const [command, argument] of [
      ['store', 'For me alone'],
      ['backup', path('backup.tar.gz')],
      ['export', path('export.jsonl')],
      ['deletions', path('deletions.jsonl')],
    ] as const) {
      const { code, err } = await runPalimpsest([command, argument], { variables });
      expect(code, err).to.equal(0);
    }
    await note('data', ...(await readdir(path('data'))).map((name) => join('data', name)));
    await service.stop('SIGTERM');
    await note('backup.tar.gz', 'export.jsonl', 'deletions.jsonl');
    const data = ['palimpsest.db', 'palimpsest.db-wal', 'palimpsest.db-shm', 'palimpsest.lock'];
    expect(modes).to.include.keys(data.map((name) => join('data', name)));
    for (const [name, mode] of Object.entries(modes)) expect(mode, name).to.equal(name === 'data' ? '700' : '600');
  });
});
