/** What becomes of a command API that is cut off, stands still or loses the answer to a COMMIT: nothing is lost, nothing is done twice. */
import { expect } from 'chai';
import { DependencyError } from '../../shared/kernel/errors.js';
import { command } from '../support/committers.js';
import { numberedId, stored, updated } from '../support/events.js';
import { expectGraphToShowJournal, wholeJournal } from '../support/examine-outbox.js';
import { GRAPH_ADAPTERS } from '../support/graph-adapters.js';
import { openOutboxStage, openPostgresGate, type OutboxProcess, type OutboxStage } from '../support/outbox.js';
import { holdingFailpoints } from '../support/holding-failpoints.js';
import { rejection } from '../support/rejection.js';
import { isServerWanted } from '../support/servers.js';
import type { TcpGate } from '../support/tcp-gate.js';
import { until } from '../support/until.js';

const fingerprint = 'f'.repeat(64);
const ALIVE_MS = 300;

for (const adapter of isServerWanted('postgres') ? GRAPH_ADAPTERS : []) {
  describe(`the commit protocol over postgres and ${adapter.name}, taken over`, () => {
    let stage: OutboxStage;
    let gate: TcpGate;
    let held: ReturnType<typeof holdingFailpoints>;
    let first: OutboxProcess;
    let second: OutboxProcess;
    beforeEach(async () => {
      stage = await openOutboxStage(adapter);
      gate = await openPostgresGate(stage.temporary);
      held = holdingFailpoints();
      first = stage.start({ failpoints: held.failpoints, gate, config: { aliveMs: ALIVE_MS, lookUpMs: 500 } });
      second = stage.start();
      await first.committer.commit([command([stored(1)])]);
    });
    afterEach(async () => {
      held.release();
      await stage.close();
      await gate.close();
    });

    const shownVersion = async (): Promise<number | undefined> =>
      (await stage.graph.reader.memories([numberedId(1)]))[0]?.version;

    it('shows what another has just committed before it tells of a conflict with it', async () => {
      const idle = stage.start({ config: { sweepMs: 60_000 } });
      held.hold('before_apply');
      const late = first.committer.commit([command([updated(1, 2)])]);
      await held.reached();
      expect(await idle.committer.commit([command([updated(1, 2, { content: 'other' })])])).to.deep.equal([
        { kind: 'conflict', subject: numberedId(1), version: 2 },
      ]);
      expect(await shownVersion()).to.equal(2);
      held.release();
      expect((await late)[0]?.kind).to.equal('committed');
    });

    it('takes an equal request for a new one while the first is on its way, and for the same once its process is gone', async () => {
      held.hold('before_apply');
      const lost = first.committer.commit([command([updated(1, 2)], { fingerprint })]).catch((error: unknown) => error);
      await held.reached();
      expect(await second.committer.earlier({ key: null, fingerprint })).to.equal(undefined);
      expect(await shownVersion()).to.equal(1);

      await gate.close();
      expect(await second.committer.earlier({ key: null, fingerprint })).to.have.nested.property(
        'events[0].version',
        2,
      );
      expect(await shownVersion()).to.equal(2);
      held.release();
      await lost;
    });

    it('goes on with what a process committed that was cut off, long before the lease is over', async () => {
      held.hold('after_commit');
      const lost = first.committer.commit([command([updated(1, 2)])]).catch((error: unknown) => error);
      await held.reached();
      await gate.close();
      await until('another shows it', async () => (await shownVersion()) === 2);
      await expectGraphToShowJournal(second, stage.graph.reader);
      held.release();
      await lost;
    });

    it('goes on with what a process committed that stands still, and is not set back when that one wakes', async () => {
      held.hold('before_apply');
      const late = first.committer.commit([command([updated(1, 2)])]).catch((error: unknown) => error);
      await held.reached();
      gate.hold();
      await until('another shows it', async () => (await shownVersion()) === 2);
      expect((await second.committer.commit([command([updated(1, 3)])]))[0]?.kind).to.equal('committed');
      gate.release();
      held.release();
      await late;
      expect(await shownVersion()).to.equal(3);
      await expectGraphToShowJournal(second, stage.graph.reader);
    });

    it('rolls forward what a living process does not show within its lease', async () => {
      const slow = stage.start({ failpoints: held.failpoints, config: { leaseMs: 100 } });
      held.hold('before_apply');
      const late = slow.committer.commit([command([updated(1, 2)], { fingerprint })]);
      await held.reached();
      await until('another shows it', async () => (await shownVersion()) === 2);
      expect(await second.committer.earlier({ key: null, fingerprint })).to.have.property('kind', 'repeated');
      held.release();
      expect((await late)[0]?.kind).to.equal('committed');
    });

    it('answers as committed when the answer to COMMIT was lost and the events are there', async () => {
      gate.loseAnswerTo('COMMIT');
      expect((await first.committer.commit([command([updated(1, 2)])]))[0]).to.have.nested.property(
        'events[0].position',
        2,
      );
      expect(await shownVersion()).to.equal(2);
      expect(await expectGraphToShowJournal(second, stage.graph.reader)).to.have.length(2);
    });

    it('says that nothing happened when the connection was lost before COMMIT', async () => {
      held.hold('inside_commit');
      const answer = rejection(first.committer.commit([command([updated(1, 2)])]));
      await held.reached();
      gate.cut();
      held.release();
      expect(await answer)
        .to.be.instanceOf(DependencyError)
        .and.to.include({ dependency: 'journal', outcomeUnknown: false });
      expect(await wholeJournal(second.journal)).to.have.length(1);
      expect((await first.committer.commit([command([updated(1, 2)])]))[0]?.kind).to.equal('committed');
    });

    it('says that it does not know when nobody can be asked, and the events are shown all the same', async () => {
      held.hold('inside_commit');
      const answer = rejection(first.committer.commit([command([updated(1, 2)], { fingerprint })]));
      await held.reached();
      // The second is the first statement of whoever asks what became of it.
      gate.loseAnswerTo('COMMIT', 'lock_group');
      held.release();
      expect(await answer)
        .to.be.instanceOf(DependencyError)
        .and.to.include({ dependency: 'journal', outcomeUnknown: true });
      expect(await second.journal.head()).to.equal(2);
      expect(await second.committer.earlier({ key: null, fingerprint })).to.have.property('kind', 'repeated');
      expect(await expectGraphToShowJournal(second, stage.graph.reader)).to.have.length(2);
    });
  });
}
