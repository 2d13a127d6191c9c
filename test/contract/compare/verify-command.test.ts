/** Runs `palimpsest verify` as a process of its own, next to a running service. */
import { join } from 'node:path';
import { expect } from 'chai';
import { openDatabase } from '../../../shared/engines/sqlite/threads/open-database.js';
import { until } from '../../support/checks/until.js';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { startChild } from '../../support/processes/child-process.js';
import { startChildService } from '../../support/processes/child-service.js';

describe('verify command', () => {
  let folder: TempFolder;
  beforeEach(async () => (folder = await createTempFolder()));
  afterEach(() => folder.remove());

  async function run(...line: readonly string[]): Promise<{ readonly code: number | string; readonly output: string }> {
    const child = startChild({
      main: 'deploy/commands/main.js',
      arguments: ['verify', ...line],
      folder: folder.path,
      variables: { PALIMPSEST_DATA_DIR: folder.path },
    });
    return { code: await child.ended, output: child.output() };
  }

  it('compares the data of a running service, and names what differs', async () => {
    const service = await startChildService({ dataFolder: folder.path });
    const ids: string[] = [];
    for (const content of ['The first memory', 'The second memory', 'The third memory'])
      ids.push((await service.request('POST', '/memory', { body: { content } })).body.memory_id);
    const link = { memory1_id: ids[0], memory2_id: ids[1], type: 'RELATES_TO', strength: 0.5 };
    expect((await service.request('POST', '/associate', { body: link })).status).to.equal(201);
    await service.request('DELETE', `/memory/${ids[2]}`);
    const vectors = async () => (await service.request('GET', '/health')).body.vector_count;
    await until('both memories are indexed', async () => (await vectors()) === 2);
    const clean = await run();
    expect(clean.code, clean.output).to.equal(0);
    expect(clean.output).to.match(/4 subjects of the journal and 2 points of the index compared: no difference\n$/u);
    await service.stop('SIGTERM');

    const database = openDatabase(join(folder.path, 'palimpsest.db'), { busyTimeoutMs: 0 });
    database.run('DELETE FROM points WHERE id = ?', [ids[0] ?? '']);
    database.close();
    const { code, output } = await run('--wait', '0');
    expect(code).to.equal(1);
    expect(output).to.contain(`index lacks (The graph has the memory, the index has no point of it): 1: ${ids[0]}\n`);
    expect(JSON.parse((await run('--wait', '0', '--json')).output).differences).to.deep.equal([
      { kind: 'index lacks', subject: ids[0] },
    ]);
  });

  it('ends with 2 when it cannot compare', async () => {
    const { code, output } = await run();
    expect(code).to.equal(2);
    expect(output).to.contain('has no palimpsest.db: set PALIMPSEST_DATA_DIR');
    expect((await run('--wait', 'long')).output).to.match(
      /^error: option '--wait <seconds>' argument 'long' is invalid/u,
    );
  });
});
