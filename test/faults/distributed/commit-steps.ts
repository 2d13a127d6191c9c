/** SIGKILL of a command API between each pair of steps of the commit protocol, while another goes on. */
import { COMMIT_STEPS } from '../../../shared/commit/committer.js';
import { survives, type Stage } from './stage.js';

export function commitSteps(stage: () => Stage): void {
  for (const step of COMMIT_STEPS) {
    it(`${step}: every acknowledged command stands once, every other once or not at all`, async function () {
      this.timeout(300_000);
      const { fleet } = stage();
      const [victim] = fleet.members('command-api');
      if (!victim) throw new Error('No command API runs');
      await victim.stop('SIGTERM');
      const doomed = await fleet.add('command-api', {
        port: victim.port,
        main: 'test/support/doomed-command-api.js',
        variables: { DOOMED_AT: step, DOOMED_AFTER: '40' },
      });
      await survives(stage(), async () => {
        await doomed.ended;
      });
      await fleet.add('command-api', { port: victim.port });
    });
  }
}
