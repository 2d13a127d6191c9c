/** `palimpsest deletions` and `palimpsest restore --deletions` as processes: what they print and their exit codes. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { startChild } from '../../support/processes/child-process.js';
import { startChildService } from '../../support/processes/child-service.js';

const ADMIN_API_TOKEN = 'admin-token';

describe('the deletions command', () => {
  let folder: TempFolder;
  before(async () => {
    folder = await createTempFolder();
    await mkdir(join(folder.path, 'data'));
  });
  after(() => folder.remove());

  async function run(command: string, line: readonly string[], data: string, url = '') {
    const variables = { PALIMPSEST_DATA_DIR: join(folder.path, data), PALIMPSEST_URL: url, ADMIN_API_TOKEN };
    const child = startChild({
      main: 'deploy/commands/main.js',
      arguments: [command, ...line],
      folder: folder.path,
      variables,
    });
    return { code: await child.ended, output: child.output() };
  }

  it('lists deletions of a running service, which a restore repeats', async () => {
    const service = await startChildService({ dataFolder: join(folder.path, 'data'), variables: { ADMIN_API_TOKEN } });
    const ids: string[] = [];
    for (const content of ['The first memory', 'The second memory'])
      ids.push((await service.request('POST', '/memory', { body: { content } })).body.memory_id);
    expect((await run('backup', ['backup.tar.gz'], 'data', service.url)).code).to.equal(0);
    await service.request('DELETE', `/memory/${ids[0]}`);
    const written = await run('deletions', ['list.jsonl', '--after', 'backup.tar.gz'], 'data');
    expect(written.code).to.equal(0);
    expect(written.output).to.match(/^list\.jsonl has the deletions after position \d+ and up to \d+: 1\.\n$/u);
    await service.stop('SIGTERM');

    const list = join(folder.path, 'list.jsonl');
    await writeFile(join(folder.path, 'bad.jsonl'), (await readFile(list, 'utf8')).replace(ids[0] ?? '', 'unknown'));
    const refused = await run('restore', ['backup.tar.gz', '--deletions', 'bad.jsonl'], 'restored');
    expect(refused.code).to.equal(1);
    expect(refused.output).to.contain("bad.jsonl, line 1: 'id' is not the id of a memory. Nothing was restored");
    expect(await readdir(folder.path)).not.to.contain('restored');

    const restored = await run('restore', ['backup.tar.gz', '--deletions', 'list.jsonl'], 'restored');
    expect(restored.output).to.contain('Memories of the list that were deleted again: 1.');
    expect(restored.code).to.equal(0);
  });

  it('ends with 1 without data, and with 2 for wrong arguments', async () => {
    const absent = await run('deletions', ['list.jsonl'], 'absent');
    expect(absent.code).to.equal(1);
    expect(absent.output).to.contain('has no palimpsest.db: set PALIMPSEST_DATA_DIR');
    const wrong = await run('deletions', ['list.jsonl', '--since', 'yesterday'], 'data');
    expect([wrong.code, wrong.output.split('\n')[0]]).to.deep.equal([
      2,
      "error: option '--since <position>' argument 'yesterday' is invalid. It must be a whole number, 0 or more.",
    ]);
  });
});
