/** A command API that stops in the middle of a commit delays no other process, wherever it stops. */
import { expect } from 'chai';
import { command } from '../../support/adapters/committers.js';
import { GRAPH_ADAPTERS } from '../../support/adapters/graphs.js';
import {
  openOutboxSetup,
  openPostgresGate,
  type OutboxProcess,
  type OutboxSetup,
} from '../../support/adapters/outbox-setup.js';
import { until } from '../../support/checks/until.js';
import { holdingFailpoints } from '../../support/faults/holding-failpoints.js';
import type { TcpGate } from '../../support/faults/tcp-gate.js';
import { stored } from '../../support/fixtures/events.js';
import { isServerWanted } from '../../support/servers/servers.js';

/** Below the 3 s after which Postgres ends a transaction of a process that hangs. */
const LIMIT_MS = 2_500;
const [adapter] = GRAPH_ADAPTERS;

for (const graph of isServerWanted('postgres') && adapter ? [adapter] : []) {
  describe('stalled command API', () => {
    let setup: OutboxSetup;
    let gate: TcpGate;
    let other: OutboxProcess;
    let held: ReturnType<typeof holdingFailpoints>;
    beforeEach(async () => {
      held = holdingFailpoints();
      setup = await openOutboxSetup(graph);
      other = setup.start();
      await other.committer.commit([command([stored(10)])]);
      gate = await openPostgresGate(setup.temporary);
    });
    afterEach(async () => {
      gate.release();
      held.release();
      await setup.close();
      await gate.close();
    });

    async function expectQuickCommit(): Promise<void> {
      const begin = performance.now();
      await other.committer.commit([command([stored(11)])]);
      expect(performance.now() - begin).to.be.below(LIMIT_MS);
    }

    it('delays no other process after it sent its events to the journal', async () => {
      const stalled = setup.start({ gate });
      await stalled.committer.commit([command([stored(1)])]);
      gate.holdAfter('append_group');
      const commit = stalled.committer.commit([command([stored(2)])]);
      await until('the process hangs', gate.isHeld);
      await expectQuickCommit();
      gate.release();
      expect((await commit)[0]?.kind).to.equal('committed');
    });

    it('delays no other process before it sends its events to the journal', async () => {
      const stalled = setup.start({ failpoints: held.failpoints });
      held.hold('inside_commit');
      const commit = stalled.committer.commit([command([stored(2)])]);
      await held.reached();
      await expectQuickCommit();
      held.release();
      expect((await commit)[0]?.kind).to.equal('committed');
    });
  });
}
