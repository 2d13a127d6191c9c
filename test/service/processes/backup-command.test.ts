/**
 * `palimpsest backup` and `palimpsest restore` as processes: their exit codes, their messages, and what a refusal
 * leaves behind.
 */
import { readdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createPostgres } from '../../../shared/engines/postgres/connection/postgres-pool.js';
import { postgresConfig } from '../../../shared/engines/postgres/connection/postgres-variables.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { appendToPostgres } from '../../support/adapters/journals.js';
import { graphPart, memoryNode, writeArchive } from '../../support/fixtures/automem-archive.js';
import { stored } from '../../support/fixtures/events.js';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { areBothWanted } from '../../support/processes/both-compositions.js';
import { startChild } from '../../support/processes/child-process.js';
import { type Service, startService } from '../../support/processes/service.js';
import { openTestDeployment } from '../../support/processes/test-deployment.js';

const ADMIN = 'admin-secret';

describe('backup and restore commands', function () {
  let service: Service;
  let folder: TempFolder;
  let whole: string;

  before(async () => {
    folder = await createTempFolder();
    service = await startService({ variables: { ADMIN_API_TOKEN: ADMIN } });
    await service.request('POST', '/memory', { body: { content: 'The lighthouse is white' } });
    await service.settled();
    whole = join(folder.path, 'whole.tar.gz');
  });
  after(async () => {
    await service.close();
    await folder.remove();
  });

  async function run(name: 'backup' | 'restore', line: readonly string[], variables: Readonly<Record<string, string>>) {
    const child = startChild({
      main: 'deploy/commands/main.js',
      arguments: [name, ...line],
      folder: folder.path,
      variables,
    });
    return { code: await child.ended, output: child.output() };
  }
  const backup = (file: string, url = service.url) =>
    run('backup', [file], { PALIMPSEST_URL: url, ADMIN_API_TOKEN: ADMIN });
  const restore = (file: string, dataFolder: string) => run('restore', [file], { PALIMPSEST_DATA_DIR: dataFolder });

  it('save a deployment and restore it', async () => {
    const saved = await backup(whole);
    expect(saved.code, saved.output).to.equal(0);
    expect(saved.output).to.contain('holds the state at position 1: 1 events, 1 embeddings.');
    const restored = await restore(whole, join(folder.path, 'restored'));
    expect(restored.code, restored.output).to.equal(0);
    expect(restored.output).to.contain('Restored the state at position 1: 1 events, 1 embeddings.');
  });

  it('leave an older backup alone when the disk is full', async () => {
    const file = join(folder.path, 'full.tar.gz');
    await writeFile(file, 'an older backup');
    await symlink('/dev/full', `${file}.part`);
    const { code, output } = await backup(file);
    expect(code).to.equal(1);
    expect(output).to.equal('The disk is full: make room, or save the backup elsewhere\n');
    expect(await readFile(file, 'utf8')).to.equal('an older backup');
    expect(await readdir(folder.path)).not.to.include('full.tar.gz.part');
  });

  it('name an unwritable file, and a service that does not answer', async () => {
    const nowhere = await backup(join(folder.path, 'no-such-folder', 'backup.tar.gz'));
    expect(nowhere.code).to.equal(1);
    expect(nowhere.output).to.match(/^The file cannot be written: ENOENT.*no-such-folder/u);
    const unanswered = await backup(join(folder.path, 'unanswered.tar.gz'), 'http://127.0.0.1:9');
    expect(unanswered.code).to.equal(1);
    expect(unanswered.output).to.match(/^The download failed: /u);
    expect(await readdir(folder.path)).not.to.include('unanswered.tar.gz');
  });

  const ARCHIVES = {
    'a truncated archive': async (file: string) => {
      const bytes = await readFile(whole);
      await writeFile(file, bytes);
      await truncate(file, bytes.length - 100);
    },
    'an archive of another service': (file: string) => writeArchive(file, [graphPart([memoryNode(801)])]),
    'a file that is no archive': (file: string) => writeFile(file, 'words'),
  };
  const REASONS: Readonly<Record<keyof typeof ARCHIVES, RegExp>> = {
    'a truncated archive': /^The file is not a complete tar\.gz/u,
    'an archive of another service': /is not a backup of this service: it begins with falkordb/u,
    'a file that is no archive': /^The file is not a complete tar\.gz/u,
  };
  for (const name of Object.keys(ARCHIVES) as (keyof typeof ARCHIVES)[]) {
    it(`refuse ${name} before any write`, async () => {
      const file = join(folder.path, 'refused.tar.gz');
      await ARCHIVES[name](file);
      const { code, output } = await restore(file, join(folder.path, 'never'));
      expect(code).to.equal(1);
      expect(output).to.match(REASONS[name]);
      expect(await readdir(folder.path)).not.to.include('never');
    });
  }

  if (areBothWanted())
    it('refuse servers with events before anything is written', async () => {
      const { deployment, remove } = await openTestDeployment();
      const postgres = createPostgres({ config: postgresConfig(deployment.variables), logger: silentLogger });
      try {
        await appendToPostgres(postgres, [stored(1)]);
        const { code, output } = await run('restore', [whole, '--distributed'], deployment.variables);
        expect(code).to.equal(1);
        expect(output).to.match(/^The journal has events up to position 1\. A restore needs an empty deployment/u);
        const { rows } = await postgres.query('SELECT subject FROM journal');
        expect(rows).to.have.length(1);
      } finally {
        await postgres.close();
        await remove();
      }
    });
});
