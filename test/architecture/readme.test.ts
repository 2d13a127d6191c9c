/** Checks the README: the commands of its first minute run unchanged against a service, and its npm scripts exist. */
import { execFile } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { until } from '../support/checks/until.js';
import { createTempFolder, type TempFolder } from '../support/fixtures/temp-folder.js';
import { startChildService } from '../support/processes/child-service.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const CURL_STAND_IN = fileURLToPath(new URL('../support/clients/curl-stand-in.js', import.meta.url));

describe('the README', function () {
  this.timeout(60_000);
  let folder: TempFolder;
  let readme: string;
  before(async () => {
    folder = await createTempFolder();
    readme = await readFile(join(ROOT, 'README.md'), 'utf8');
  });
  after(() => folder.remove());

  /** Returns the PATH of the shell. If the machine has no curl, the PATH includes the stand-in. */
  async function pathWithCurl(): Promise<string> {
    const path = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`;
    const hasCurl = await run('sh', ['-c', 'command -v curl'], { env: { PATH: path } }).then(
      () => true,
      () => false,
    );
    if (hasCurl) return path;
    const curl = join(folder.path, 'curl');
    await writeFile(curl, `#!/bin/sh\nexec "${process.execPath}" "${CURL_STAND_IN}" "$@"\n`);
    await chmod(curl, 0o755);
    return `${folder.path}${delimiter}${path}`;
  }

  it('has working commands that store, associate and recall memories', async () => {
    const commands = /<!-- first minute[^>]*-->\s*```sh\n([\s\S]*?)```/u.exec(readme)?.[1];
    if (commands === undefined)
      throw new Error('README.md has no block marked "first minute": add the marker before the commands');
    const service = await startChildService({ dataFolder: folder.path });
    try {
      const shell = (text: string): Promise<{ stdout: string }> =>
        pathWithCurl().then((PATH) =>
          run('sh', ['-ec', text.replaceAll('http://localhost:8001', service.url)], { env: { PATH } }),
        );
      const reads = commands.indexOf('curl -s', commands.indexOf('/associate'));
      const associated = await shell(`${commands.slice(0, reads)}\necho`);
      expect(associated.stdout).to.contain('"relation_type":"LEADS_TO"');
      await until(
        'the memories are indexed',
        async () => (await service.request('GET', '/health')).body.in_flight === 0,
      );
      const [byMeaning, byKeyword] = commands.slice(reads).trim().split('\n');
      const meaning = JSON.parse((await shell(byMeaning ?? '')).stdout).results[0];
      expect(meaning).to.include({ match_type: 'semantic' });
      expect(meaning.memory.content).to.contain('kitten');
      expect(meaning.score_components.keyword, 'the query and the memory have no word in common').to.equal(0);
      const keyword = JSON.parse((await shell(byKeyword ?? '')).stdout).results[0];
      expect(keyword.memory.content).to.contain('PRD-4711');
      expect(keyword.score_components.keyword).to.equal(1);
    } finally {
      await service.stop('SIGTERM');
    }
  });
});
