/**
 * The embedded composition and its commands as processes of this Node: one memory, and nothing that Node itself warns
 * about.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectNoNodeWarning } from '../support/checks/node-warnings.js';
import { until } from '../support/checks/until.js';
import { createTempFolder, type TempFolder } from '../support/fixtures/temp-folder.js';
import { startChild } from '../support/processes/child-process.js';
import { type ChildService, startChildService } from '../support/processes/child-service.js';
import { freePort } from '../support/processes/free-port.js';

const ADMIN_API_TOKEN = 'admin-secret';
const CONTENT = 'The kitten only eats tuna';

describe('npm start', () => {
  let folder: TempFolder;
  let service: ChildService;
  before(async () => {
    folder = await createTempFolder();
    service = await startChildService({
      dataFolder: folder.path,
      variables: { ADMIN_API_TOKEN, METRICS_PORT: String(await freePort()) },
    });
  });
  after(() => folder.remove());

  /** The output of a command that must succeed. */
  async function run(command: string, ...line: readonly string[]): Promise<string> {
    const variables = { PALIMPSEST_URL: service.url, PALIMPSEST_DATA_DIR: folder.path, ADMIN_API_TOKEN };
    const child = startChild({
      main: 'deploy/commands/main.js',
      arguments: [command, ...line],
      folder: folder.path,
      variables: command === 'restore' ? { PALIMPSEST_DATA_DIR: join(folder.path, 'restored') } : variables,
    });
    expect(await child.ended, child.output()).to.equal(0);
    return child.output();
  }

  it('stores a memory and recalls it by meaning', async () => {
    const stored = await service.request('POST', '/memory', { body: { content: CONTENT } });
    expect(stored.status).to.equal(201);
    await until('the memory is recalled by meaning', async () => {
      const { body } = await service.request('GET', '/recall?query=feeding+a+young+cat');
      return body.results?.[0]?.id === stored.body.memory_id && body.results[0].match_type === 'semantic';
    });
  });

  it('has commands without a warning of Node', async () => {
    const [lines, archive] = [join(folder.path, 'lines.jsonl'), join(folder.path, 'archive.tar.gz')];
    await writeFile(lines, `${JSON.stringify({ content: 'The kitten sleeps all day' })}\n`);
    const outputs = [
      await run('import', lines),
      await run('backup', archive),
      await run('verify', '--wait', '60'),
      await run('deletions', join(folder.path, 'deletions')),
      await run('restore', archive),
    ];
    for (const output of outputs) expectNoNodeWarning(output);
  });

  it('stops at SIGTERM, without a warning of Node', async () => {
    expect(await service.stop('SIGTERM'), service.output()).to.equal(0);
    expectNoNodeWarning(service.output());
  });
});
