/** Kills one command API (SIGKILL) at each step of the commit protocol, while the other one continues. */
import { COMMIT_STEPS } from '../../../shared/ports/committer.js';
import { type FaultSetup, survivesFault } from './fault-checks.js';

export function commitSteps(stage: () => FaultSetup): void {
  let port: number;

  // Each crashing process takes the port of the previous one, so that no process starts only to be stopped.
  before(async () => {
    const [victim] = stage().fleet.members('command-api');
    if (!victim) throw new Error('The fleet has no running command API');
    await victim.stop('SIGTERM');
    port = victim.port;
  });
  after(async function () {
    await stage().fleet.add('command-api', { port });
  });

  for (const step of COMMIT_STEPS) {
    it(`applies each command once after a kill at ${step}`, async function () {
      this.timeout(300_000);
      const crashing = await stage().fleet.add('command-api', {
        port,
        main: 'test/support/faults/crashing-command-api.js',
        variables: { CRASH_AT: step, CRASH_AFTER: '40' },
      });
      await survivesFault(stage(), async () => {
        await crashing.ended;
      });
    });
  }
}
