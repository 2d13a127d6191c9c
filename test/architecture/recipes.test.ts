/** Runs the programs that the documents mark as executed, each as a reader saves it, against the embedded service. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { pathWithCurl } from '../support/checks/first-minute.js';
import { skipWithReason } from '../support/checks/not-run.js';
import { REPOSITORY } from '../support/checks/source-files.js';
import { createTempFolder, type TempFolder } from '../support/fixtures/temp-folder.js';
import { type ChildService, startChildService } from '../support/processes/child-service.js';

const run = promisify(execFile);
const TOKEN = 'your-token';
const DOCUMENTS = join(REPOSITORY, 'deploy/docs');
const BLOCK = /<!-- executed as (\S+), prints "([^"]+)" -->\n```\w+\n([\s\S]*?)```/gu;
const PROGRAMS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  sh: ['sh', '-eu'],
  mjs: [process.execPath],
  py: ['python3'],
};

const programs = readdirSync(DOCUMENTS)
  .filter((name) => name.endsWith('.md'))
  .flatMap((page) =>
    [...readFileSync(join(DOCUMENTS, page), 'utf8').matchAll(BLOCK)].map(([, file = '', prints = '', text = '']) => ({
      page,
      file,
      prints,
      text,
    })),
  );

describe('the programs in the documents', function () {
  let folder: TempFolder;
  let service: ChildService;
  before(async () => {
    folder = await createTempFolder();
    service = await startChildService({
      dataFolder: folder.path,
      // A busy machine may take longer to index a memory than a recall waits by default.
      variables: { MCP_ENABLED: 'true', SERVICE_API_TOKEN: TOKEN, RECALL_FRESH_WAIT_MS: '20000' },
    });
  });
  after(async () => {
    await service?.stop('SIGTERM');
    await folder.remove();
  });

  it('are the three recipes', () => {
    expect(programs.map(({ file }) => file)).to.deep.equal(['tools.sh', 'memories.py', 'audit.mjs']);
  });

  for (const { page, file, prints, text } of programs)
    it(`print what they promise: ${file} in ${page}`, async function () {
      const [program = '', ...flags] = PROGRAMS[file.split('.').at(-1) ?? ''] ?? [];
      const path = join(folder.path, file);
      await writeFile(path, text.replaceAll('http://localhost:8001', service.url));
      const variables = { PATH: await pathWithCurl(folder.path), SERVICE_API_TOKEN: TOKEN };
      try {
        const { stdout } = await run(program, [...flags, path], { cwd: folder.path, env: variables });
        expect(stdout).to.match(new RegExp(prints, 'u'));
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
          skipWithReason(this, `${file} of the recipes: ${program} is missing`);
        throw error;
      }
    });
});
