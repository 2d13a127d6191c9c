/**
 * A command API that is cut off, is stuck or loses the answer to a COMMIT: no event is lost and none has two effects.
 */
import { expect } from 'chai';
import type { RecordedEvent } from '../../../shared/contract/events.js';
import type { CommitGraph } from '../../../shared/engines/postgres/commit/graph-guard.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { command } from '../../support/adapters/committers.js';
import { OUTBOX_GRAPHS } from '../../support/adapters/graphs.js';
import {
  commitGraph,
  openOutboxSetup,
  openPostgresGate,
  type OutboxProcess,
  type OutboxSetup,
} from '../../support/adapters/outbox-setup.js';
import { expectGraphMatchesJournal, readWholeJournal } from '../../support/checks/examine-outbox.js';
import { rejection } from '../../support/checks/rejection.js';
import { until } from '../../support/checks/until.js';
import { holdingFailpoints } from '../../support/faults/holding-failpoints.js';
import { COMMIT_MESSAGE, type TcpGate } from '../../support/faults/tcp-gate.js';
import { numberedId, stored, updated } from '../../support/fixtures/events.js';

const fingerprint = 'f'.repeat(64);
const ALIVE_MS = 300;

for (const adapter of OUTBOX_GRAPHS) {
  describe(`outbox takeover: ${adapter.name}`, () => {
    let setup: OutboxSetup;
    let gate: TcpGate;
    let held: ReturnType<typeof holdingFailpoints>;
    let first: OutboxProcess;
    let second: OutboxProcess;
    beforeEach(async () => {
      setup = await openOutboxSetup(adapter);
      gate = await openPostgresGate(setup.temporary);
      held = holdingFailpoints();
      first = setup.start({ failpoints: held.failpoints, gate, config: { aliveMs: ALIVE_MS, lookUpMs: 500 } });
      second = setup.start();
      await first.committer.commit([command([stored(1)])]);
    });
    afterEach(async () => {
      held.release();
      await setup.close();
      await gate.close();
    });

    const appliedVersion = async (): Promise<number | undefined> =>
      (await setup.graph.reader.memories([numberedId(1)]))[0]?.version;

    it("applies another process's commit before it reports a conflict", async () => {
      const idle = setup.start({ config: { sweepMs: 60_000 } });
      held.hold('before_apply');
      const late = first.committer.commit([command([updated(1, 2)])]);
      await held.reached();
      expect(await idle.committer.commit([command([updated(1, 2, { content: 'other' })])])).to.deep.equal([
        { kind: 'conflict', subject: numberedId(1), version: 2 },
      ]);
      expect(await appliedVersion()).to.equal(2);
      held.release();
      expect((await late)[0]?.kind).to.equal('committed');
    });

    it('treats an equal request as a repeat once the first process is gone', async () => {
      held.hold('before_apply');
      const lost = first.committer.commit([command([updated(1, 2)], { fingerprint })]).catch((error: unknown) => error);
      await held.reached();
      expect(await second.committer.earlier({ key: null, fingerprint })).to.equal(undefined);
      expect(await appliedVersion()).to.equal(1);

      await gate.close();
      expect(await second.committer.earlier({ key: null, fingerprint })).to.have.nested.property(
        'events[0].version',
        2,
      );
      expect(await appliedVersion()).to.equal(2);
      held.release();
      await lost;
    });

    it('rolls events of a cut-off process forward before the lease ends', async () => {
      held.hold('after_commit');
      const lost = first.committer.commit([command([updated(1, 2)])]).catch((error: unknown) => error);
      await held.reached();
      await gate.close();
      await until('another process applies it', async () => (await appliedVersion()) === 2);
      await expectGraphMatchesJournal(second, setup.graph.reader);
      held.release();
      await lost;
    });

    it('rolls events of a stuck process forward and ignores its late writes', async () => {
      held.hold('before_apply');
      const late = first.committer.commit([command([updated(1, 2)])]).catch((error: unknown) => error);
      await held.reached();
      gate.hold();
      await until('another process applies it', async () => (await appliedVersion()) === 2);
      expect((await second.committer.commit([command([updated(1, 3)])]))[0]?.kind).to.equal('committed');
      gate.release();
      held.release();
      await late;
      expect(await appliedVersion()).to.equal(3);
      await expectGraphMatchesJournal(second, setup.graph.reader);
    });

    it('rolls events of a live process forward after its lease', async () => {
      const slow = setup.start({ failpoints: held.failpoints, config: { leaseMs: 100 } });
      held.hold('before_apply');
      const late = slow.committer.commit([command([updated(1, 2)], { fingerprint })]);
      await held.reached();
      await until('another process applies it', async () => (await appliedVersion()) === 2);
      expect(await second.committer.earlier({ key: null, fingerprint })).to.have.property('kind', 'repeated');
      held.release();
      expect((await late)[0]?.kind).to.equal('committed');
    });

    it('leaves an event of a newer release pending until that release applies it', async () => {
      held.hold('after_commit');
      const newer = { ...updated(1, 2), schemaVersion: 2 };
      const lost = first.committer.commit([command([newer])]).catch((error: unknown) => error);
      await held.reached();
      await gate.close();
      await until('the process of this release has tried it', async () => (await attempts()) > 0);
      expect((await second.committer.commit([command([stored(2)])]))[0]?.kind).to.equal('committed');
      expect(await appliedVersion()).to.equal(1);
      await second.close();
      const { journal } = setup.start({ graph: knowingGraph() });
      await until('the newer release applies it', async () => (await appliedVersion()) === 2);
      expect(await readWholeJournal(journal)).to.have.length(3);
      held.release();
      await lost;
    });

    const attempts = async (): Promise<number> =>
      Number(
        (await setup.temporary.postgres.query('SELECT max(attempts) AS most FROM outbox_pending')).rows[0]?.['most'],
      );

    /** The graph as a release opens it that knows schema 2 of each event. */
    function knowingGraph(): CommitGraph {
      const { apply, ping } = commitGraph(setup.graph);
      const known = (event: RecordedEvent): RecordedEvent => ({ ...event, schemaVersion: 1 });
      return { ping, apply: (events, limits) => apply(events.map(known), limits) };
    }

    it('answers as committed when the answer to COMMIT was lost', async () => {
      gate.dropReplyTo(COMMIT_MESSAGE);
      expect((await first.committer.commit([command([updated(1, 2)])]))[0]).to.have.nested.property(
        'events[0].position',
        2,
      );
      expect(await appliedVersion()).to.equal(2);
      expect(await expectGraphMatchesJournal(second, setup.graph.reader)).to.have.length(2);
    });

    it('reports that nothing was stored after a lost connection', async () => {
      held.hold('inside_commit');
      const answer = rejection(first.committer.commit([command([updated(1, 2)])]));
      await held.reached();
      gate.cut();
      held.release();
      expect(await answer)
        .to.be.instanceOf(DependencyError)
        .and.to.include({ dependency: 'journal', outcomeUnknown: false });
      expect(await readWholeJournal(second.journal)).to.have.length(1);
      expect((await first.committer.commit([command([updated(1, 2)])]))[0]?.kind).to.equal('committed');
    });

    it('reports an unknown outcome when the lookup fails too', async () => {
      held.hold('inside_commit');
      const answer = rejection(first.committer.commit([command([updated(1, 2)], { fingerprint })]));
      await held.reached();
      // The second statement is the first one of the lookup.
      gate.dropReplyTo(COMMIT_MESSAGE, 'lock_group');
      held.release();
      expect(await answer)
        .to.be.instanceOf(DependencyError)
        .and.to.include({ dependency: 'journal', outcomeUnknown: true });
      expect(await second.journal.head()).to.equal(2);
      expect(await second.committer.earlier({ key: null, fingerprint })).to.have.property('kind', 'repeated');
      expect(await expectGraphMatchesJournal(second, setup.graph.reader)).to.have.length(2);
    });
  });
}
