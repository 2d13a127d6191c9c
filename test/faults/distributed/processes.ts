/** SIGKILL of relay and projectors in mid-batch, and processes that are paused for longer than every lease. */
import { expect } from 'chai';
import { setTimeout as elapse } from 'node:timers/promises';
import type { Kind, Member } from '../../support/fleet.js';
import { LEASES_OVER_MS } from './fleet-variables.js';
import { survives, type Stage } from './stage.js';

export function processFaults(stage: () => Stage): void {
  for (const kind of ['relay', 'projectors', 'query-api', 'command-api'] as const) {
    it(`loses nothing when one of two ${kind} processes is killed in mid-batch, and the other takes over`, async function () {
      this.timeout(300_000);
      const { fleet } = stage();
      const victim = firstOf(stage(), kind);
      await survives(stage(), async () => {
        expect(await victim.stop('SIGKILL')).to.equal('SIGKILL');
      });
      await fleet.add(kind, { port: victim.port });
    });
  }

  for (const kind of ['command-api', 'relay', 'projectors'] as const) {
    it(`loses nothing when a ${kind} process is paused for longer than every lease and wakes up again`, async function () {
      this.timeout(300_000);
      const sleeper = firstOf(stage(), kind);
      await survives(stage(), async () => {
        sleeper.signal('SIGSTOP');
        await elapse(LEASES_OVER_MS);
        sleeper.signal('SIGCONT');
      });
      expect(sleeper.isRunning(), sleeper.output()).to.equal(true);
    });
  }
}

function firstOf({ fleet }: Stage, kind: Kind): Member {
  const [member] = fleet.members(kind);
  if (!member) throw new Error(`No ${kind} runs`);
  return member;
}
