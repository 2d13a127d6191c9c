/** `palimpsest import` as a process: its exit codes and its summary. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { graphPart, memoryNode, writeArchive } from '../../support/fixtures/automem-archive.js';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { type Service, startService } from '../../support/processes/service.js';

const MAIN = 'dist/deploy/commands/main.js';

describe('the import command', () => {
  let service: Service;
  let folder: TempFolder;
  let file: string;

  before(async () => {
    service = await startService({ variables: { ADMIN_API_TOKEN: 'admin-token' } });
    folder = await createTempFolder();
    file = join(folder.path, 'archive.tar.gz');
  });
  after(async () => {
    await service.close();
    await folder.remove();
  });

  function run(): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
    const env = { ...process.env, PALIMPSEST_URL: service.url, ADMIN_API_TOKEN: 'admin-token' };
    return new Promise((resolve) =>
      execFile(process.execPath, [MAIN, 'import', file], { env }, (error, out, err) =>
        resolve({ code: Number(error?.code ?? 0), out, err }),
      ),
    );
  }

  it('ends with 0, with 2 when something is left out, with 1 when refused', async () => {
    const nodes = [memoryNode(801), memoryNode(802)];
    await writeArchive(file, [graphPart(nodes)]);
    const whole = await run();
    expect(whole.code).to.equal(0);
    expect(whole.out).to.include('AutoMem archive with 2 memories and 0 associations.');
    expect(whole.out).to.include('Memories: 2 stored, 0 already there, 0 left out.');

    await writeArchive(file, [graphPart(nodes, [{ source_id: 801, type: 'KNOWS', target_id: 802, properties: {} }])]);
    const partial = await run();
    expect(partial.code).to.equal(2);
    expect(partial.out).to.include('1 left out, associations of types that the service does not know: 1 KNOWS.');

    const bytes = await readFile(file);
    await writeFile(file, bytes.subarray(0, bytes.length - 30));
    const cut = await run();
    expect(cut.code).to.equal(1);
    expect(cut.err).to.match(/Nothing was imported\. .*cut off before its end\./u);
  });
});
