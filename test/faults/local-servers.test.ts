/** The commands of the launcher on the real servers, whose data survives them. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { until } from '../support/checks/until.js';
import { DURABILITY_MARKS } from '../support/servers/durability-marks.js';
import { localServerVariables } from '../support/servers/local-servers.js';
import { type ServerName, SERVERS } from '../support/servers/servers.js';

const MAIN = fileURLToPath(new URL('../../deploy/local/main.js', import.meta.url));
const NAMES = Object.keys(SERVERS) as ServerName[];

type Outcome = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** Runs a command line, as a person types it. */
async function local(...line: readonly string[]): Promise<Outcome> {
  const environment = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...localServerVariables() };
  return promisify(execFile)(process.execPath, [MAIN, ...line], { env: environment }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Outcome) => error,
  );
}

if (process.env['PALIMPSEST_TEST_SERVERS'] === 'local')
  describe('local servers', function () {
    this.timeout(180_000);

    it('are reported as healthy by the status command', async () => {
      const { code, stdout } = await local('status', 'servers');
      for (const name of NAMES) expect(stdout).to.match(new RegExp(`^${name} +healthy +port \\d+ +pid \\d+$`, 'mu'));
      expect(code).to.equal(0);
    });

    for (const name of NAMES) {
      it(`keep the data of ${name} when it is killed and started again`, async () => {
        const mark = DURABILITY_MARKS[name];
        await mark.write();
        try {
          expect((await local('kill', name)).stderr).to.equal(`${name} is killed\n`);
          const { code, stdout } = await local('status', name);
          expect([code, stdout.includes('stopped')]).to.deep.equal([1, true]);
          expect((await local('start', name)).stderr).to.match(
            new RegExp(`^${name} is up on port \\d+, after [\\d.]+ s\n$`, 'u'),
          );
          await until(`the mark in ${name} can be read again`, () => mark.read().catch(() => false));
        } finally {
          await local('start', name);
          await mark.remove();
        }
      });
    }

    it('do not answer while they are paused, and answer when they are resumed', async () => {
      await local('pause', ...NAMES);
      const paused = await local('status', ...NAMES);
      await local('resume', ...NAMES);
      expect(paused.stdout.match(/ paused /gu)).to.have.lengthOf(NAMES.length);
      expect((await local('status', ...NAMES)).code).to.equal(0);
    });

    it('are started once by several concurrent commands', async () => {
      await local('kill', 'qdrant');
      const outcomes = await Promise.all([1, 2, 3].map(() => local('up', 'qdrant')));
      expect(outcomes.map(({ code }) => code)).to.deep.equal([0, 0, 0]);
      expect(outcomes.filter(({ stderr }) => stderr.includes(', after '))).to.have.lengthOf(1);
    });
  });
