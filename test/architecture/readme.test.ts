/** The README tells the truth: its first minute is executed as it stands, against a service of its own. */
import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startChildService } from '../support/child-service.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const CURL_STAND_IN = fileURLToPath(new URL('../support/curl-stand-in.js', import.meta.url));

describe('the README', function () {
  this.timeout(60_000);
  let folder: TempFolder;
  let readme: string;
  before(async () => {
    folder = await createTempFolder();
    readme = await readFile(join(ROOT, 'README.md'), 'utf8');
  });
  after(() => folder.remove());

  /** The shell's PATH, with a curl in it even where the machine has none. */
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

  it('stores two memories, associates them and recalls them by meaning and by keyword', async () => {
    const commands = /<!-- first minute[^>]*-->\s*```sh\n([\s\S]*?)```/u.exec(readme)?.[1];
    if (commands === undefined) throw new Error('The README has no block marked "first minute"');
    const service = await startChildService({ dataFolder: folder.path });
    try {
      const shell = (text: string): Promise<{ stdout: string }> =>
        pathWithCurl().then((PATH) =>
          run('sh', ['-ec', text.replaceAll('http://localhost:8001', service.url)], { env: { PATH } }),
        );
      const reads = commands.indexOf('curl -s', commands.indexOf('/associate'));
      const associated = await shell(`${commands.slice(0, reads)}\necho`);
      expect(associated.stdout).to.contain('"relation_type":"LEADS_TO"');
      await until('the vectors are there', async () => (await service.request('GET', '/health')).body.in_flight === 0);
      const [byMeaning, byKeyword] = commands.slice(reads).trim().split('\n');
      const meaning = JSON.parse((await shell(byMeaning ?? '')).stdout).results[0];
      expect(meaning).to.include({ match_type: 'semantic' });
      expect(meaning.memory.content).to.contain('kitten');
      expect(meaning.score_components.keyword, 'no word in common').to.equal(0);
      const keyword = JSON.parse((await shell(byKeyword ?? '')).stdout).results[0];
      expect(keyword.memory.content).to.contain('PRD-4711');
      expect(keyword.score_components.keyword).to.equal(1);
    } finally {
      await service.stop('SIGTERM');
    }
  });

  it('links only to files that exist', async () => {
    const targets = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/gu)].map((match) => match[1] ?? '');
    expect(targets).to.not.be.empty;
    for (const target of targets)
      await readFile(join(ROOT, target)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EISDIR')
          throw new Error(`README.md links to ${target}, which is not there`, { cause: error });
      });
  });

  it('names only npm scripts that exist', async () => {
    const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = [...readme.matchAll(/npm run ([a-z:-]+)/gu)].map((match) => match[1] ?? '');
    expect(Object.keys(scripts)).to.include.members(named);
  });
});
