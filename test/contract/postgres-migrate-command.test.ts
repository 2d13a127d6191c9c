/** `npm run migrate`, as a process of its own. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { demandSchema } from '../../shared/postgres/migrate-postgres.js';
import { MIGRATIONS, openTemporaryPostgres, type TemporaryPostgres } from '../support/postgres.js';
import { isServerWanted } from '../support/servers.js';
import { REPOSITORY } from '../support/source-files.js';
import { openTcpGate } from '../support/tcp-gate.js';
import { until } from '../support/until.js';

type Run = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

if (isServerWanted('postgres')) {
  describe('the migrate command', function () {
    this.timeout(30_000);
    let temporary: TemporaryPostgres;
    beforeEach(async () => (temporary = await openTemporaryPostgres({ empty: true })));
    afterEach(() => temporary.remove());

    function start(url: string, onError: (text: string) => void = () => undefined): Promise<Run> {
      return new Promise((resolve) => {
        const environment = { ...process.env, POSTGRES_URL: url, MIGRATE_WAIT_MS: '20000' };
        const child = execFile(process.execPath, [join(REPOSITORY, 'dist/deploy/migrate/main.js')], { env: environment }, (_error, stdout, stderr) =>
          resolve({ code: child.exitCode, stdout, stderr }),
        );
        child.stderr?.on('data', onError);
      });
    }

    it('makes the tables, and changes nothing when it runs again', async () => {
      const line = (say: (room: string, version: number) => string): string =>
        `postgres: ${MIGRATIONS.map(({ room, steps }) => say(room, steps.length)).join(', ')}\n`;
      const made = line((room, version) => `${room} brought from version 0 to ${version}`);
      expect(await start(temporary.config.url)).to.deep.equal({ code: 0, stdout: made, stderr: '' });
      await demandSchema(temporary.postgres, MIGRATIONS);
      expect((await start(temporary.config.url)).stdout).to.equal(line((room, version) => `${room} is at version ${version}`));
    });

    it('says in one line what is wrong, and ends with 1', async () => {
      const { code, stderr } = await start(Object.assign(new URL(temporary.config.url), { pathname: '/nowhere' }).href);
      expect(code).to.equal(1);
      expect(stderr).to.match(/^The configuration cannot be used:\n {2}- .* does not exist: create it .*\n$/u);
    });

    it('waits for a server that is still starting', async () => {
      const { hostname, port } = new URL(temporary.config.url);
      const gate = await openTcpGate({ host: hostname, port: Number(port || 5432) });
      gate.hold();
      let stderr = '';
      const running = start(Object.assign(new URL(temporary.config.url), { host: `127.0.0.1:${gate.port}` }).href, (text) => (stderr += text));
      await until('it says that it waits', () => /does not answer.*; again in \d+ ms/u.test(stderr));
      gate.release();
      expect(await running).to.include({ code: 0 });
      await gate.close();
    });
  });
}
