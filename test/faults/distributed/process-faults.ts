/** Kills processes (SIGKILL) in the middle of a batch, and pauses processes (SIGSTOP) for longer than each lease. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Kind, Member } from '../../support/processes/fleet.js';
import { type FaultSetup, survivesFault } from './fault-checks.js';
import { ALL_LEASES_EXPIRED_MS } from './fleet-variables.js';

export function processFaults(stage: () => FaultSetup): void {
  for (const kind of ['relay', 'projectors', 'query-api', 'command-api'] as const) {
    it(`loses nothing when one of two ${kind} processes is killed`, async function () {
      this.timeout(300_000);
      const { fleet } = stage();
      const victim = firstOf(stage(), kind);
      await survivesFault(stage(), async () => {
        expect(await victim.stop('SIGKILL')).to.equal('SIGKILL');
      });
      await fleet.add(kind, { port: victim.port });
    });
  }

  for (const kind of ['command-api', 'relay', 'projectors'] as const) {
    it(`loses nothing when a ${kind} pauses for longer than its leases`, async function () {
      this.timeout(300_000);
      const paused = firstOf(stage(), kind);
      await survivesFault(stage(), async () => {
        paused.signal('SIGSTOP');
        await sleep(ALL_LEASES_EXPIRED_MS);
        paused.signal('SIGCONT');
      });
      expect(paused.isRunning(), paused.output()).to.equal(true);
    });
  }
}

function firstOf({ fleet }: FaultSetup, kind: Kind): Member {
  const [member] = fleet.members(kind);
  if (!member) throw new Error(`The fleet has no running ${kind}`);
  return member;
}
