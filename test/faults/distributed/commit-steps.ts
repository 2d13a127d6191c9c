/** SIGKILL of a command API between each pair of steps of the commit protocol, while another goes on. */
import { COMMIT_STEPS } from '../../../shared/commit/committer.js';
import { survives, type Stage } from './stage.js';

export function commitSteps(stage: () => Stage): void {
  let port: number;

  // One doomed process takes the place of the last, so that nothing is started only to be stopped.
  before(async () => {
    const [victim] = stage().fleet.members('command-api');
    if (!victim) throw new Error('No command API runs');
    await victim.stop('SIGTERM');
    port = victim.port;
  });
  after(async function () {
    this.timeout(60_000);
    await stage().fleet.add('command-api', { port });
  });

  for (const step of COMMIT_STEPS) {
    it(`${step}: every acknowledged command stands once, every other once or not at all`, async function () {
      this.timeout(300_000);
      const doomed = await stage().fleet.add('command-api', {
        port,
        main: 'test/support/doomed-command-api.js',
        variables: { DOOMED_AT: step, DOOMED_AFTER: '40' },
      });
      await survives(stage(), async () => {
        await doomed.ended;
      });
    });
  }
}
