/** Runs the page about tenants and keys as a reader does: its commands, and a backup of one tenant that is restored. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { KEYS_LIMIT, TENANT_NAME_LIMIT, TENANT_REASON_LIMIT, TENANTS_LIMIT } from '../../shared/contract/limits.js';
import { pathWithCurl } from '../support/checks/first-minute.js';
import { skipWithReason } from '../support/checks/not-run.js';
import { REPOSITORY } from '../support/checks/source-files.js';
import { until } from '../support/checks/until.js';
import { createTempFolder, type TempFolder } from '../support/fixtures/temp-folder.js';
import { freePort } from '../support/processes/free-port.js';
import { findProgram } from '../support/processes/programs.js';

const run = promisify(execFile);
const COMMAND = join(REPOSITORY, 'dist/deploy/commands/main.js');

describe('the page about tenants and keys', () => {
  let page: string;
  let folder: TempFolder;
  let variables: Record<string, string>;
  let stop: (() => Promise<void>) | undefined;
  before(async function () {
    if (findProgram('openssl') === null) skipWithReason(this, 'the page about tenants and keys: openssl is missing');
    page = await readFile(join(REPOSITORY, 'deploy/docs/tenants-and-keys.md'), 'utf8');
    folder = await createTempFolder();
    const command = join(folder.path, 'palimpsest');
    await writeFile(command, `#!/bin/sh\nexec "${process.execPath}" "${COMMAND}" "$@"\n`);
    await chmod(command, 0o755);
    const port = String(await freePort());
    const path = [folder.path, dirname(process.execPath), await pathWithCurl(folder.path)].join(delimiter);
    variables = {
      PATH: path,
      HOME: folder.path,
      PORT: port,
      PALIMPSEST_URL: `http://127.0.0.1:${port}`,
      RECALL_FRESH_WAIT_MS: '20000', // a busy machine takes longer to index a memory
    };
  });
  after(async () => {
    await stop?.();
    await folder?.remove();
  });

  /** The block after the marker `<!-- name -->`. */
  function block(name: string): string {
    const text = new RegExp(`<!-- ${name} -->\\n\`\`\`sh\\n([\\s\\S]*?)\`\`\``, 'u').exec(page)?.[1];
    if (text === undefined) throw new Error(`tenants-and-keys.md has no block after <!-- ${name} -->: add the marker`);
    return text;
  }
  const shell = async (text: string, more: Readonly<Record<string, string>> = {}): Promise<string> =>
    (await run('sh', ['-euc', text], { cwd: folder.path, env: { ...variables, ...more } })).stdout;
  /** In a process group of its own, because a shell does not forward signals. */
  async function serve(text: string): Promise<void> {
    const options = { cwd: folder.path, env: variables, detached: true, stdio: 'ignore' } as const;
    const child = spawn('sh', ['-euc', text], options);
    const ended = once(child, 'exit');
    stop = async () => {
      stop = undefined;
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      await ended;
      await until('the port to be closed', () => isServing().then((is) => !is));
    };
    await until('the service to answer', isServing);
  }
  const isServing = (): Promise<boolean> =>
    fetch(`${variables['PALIMPSEST_URL']}/livez`).then(
      ({ ok }) => ok,
      () => false,
    );

  it('shows the limits of the code', () => {
    const rows = [...page.matchAll(/^\| [^|]+ \| ([\d,]+) \| /gmu)].map(([, value = '']) => value);
    expect(rows).to.deep.equal(
      [TENANTS_LIMIT, 64, KEYS_LIMIT, TENANT_NAME_LIMIT, TENANT_REASON_LIMIT].map((limit) =>
        limit.toLocaleString('en'),
      ),
    );
  });

  it('leads in ten commands to two teams and an agent with a key', async () => {
    expect([...`${block('serve')}${block('teams')}`.trimEnd().split('\n')]).to.have.length(10);
    await serve(block('serve'));
    const replies = (await shell(block('teams')))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const [blue, amber, stored, found, nothing] = replies;
    expect([blue.tenant.name, amber.tenant.name]).to.deep.equal(['blue', 'amber']);
    expect(found.results[0]).to.include({ id: stored.memory_id });
    expect(found.results[0].memory.content).to.equal('The blue team deploys on Tuesdays');
    expect(nothing.results).to.deep.equal([]);
  });

  it('restores a backup of one tenant into a new one', async () => {
    const secret = await shell('palimpsest tenants key blue operator --scope admin:jobs');
    const backup = /^curl .*\/backup .*$/mu.exec(page)?.[0].replace('localhost:8001', `127.0.0.1:${variables['PORT']}`);
    await shell(`${backup}`, { KEY: secret.trim() });
    const [create = '', restore = ''] = /^palimpsest tenants create blue-again.*\n(.*)$/mu.exec(page) ?? [];
    const { tenant } = JSON.parse(await shell(create.split('\n')[0] ?? ''));
    await stop?.();
    await shell(restore.replace('<id>', tenant.id));
    await serve('palimpsest serve');
    const recall = 'AUTOMEM_API_KEY=$KEY palimpsest recall "when do we deploy"';
    const key = await shell('palimpsest tenants key blue-again lead --scope memories:read');
    const { results } = JSON.parse(await shell(recall, { KEY: key.trim() }));
    expect(results[0].memory.content).to.equal('The blue team deploys on Tuesdays');
  });
});
