/** What becomes of a command API that is cut off, stands still or loses the answer to a COMMIT: nothing is lost, nothing is done twice. */
import { expect } from 'chai';
import type { CommitStep, Failpoints } from '../../shared/commit/committer.js';
import { DependencyError } from '../../shared/kernel/errors.js';
import { createBreaker } from '../support/create-breaker.js';
import { command } from '../support/committers.js';
import { numberedId, stored, updated } from '../support/events.js';
import { expectGraphToShowJournal, wholeJournal } from '../support/examine-outbox.js';
import { GRAPH_ADAPTERS } from '../support/graph-adapters.js';
import { commitGraph, openOutboxStage, openPostgresGate, type OutboxProcess, type OutboxStage } from '../support/outbox.js';
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

    const shownVersion = async (): Promise<number | undefined> => (await stage.graph.reader.memories([numberedId(1)]))[0]?.version;

    it('takes an equal request for a new one while the first is on its way, and for the same once its process is gone', async () => {
      held.hold('before_apply');
      const lost = first.committer.commit([command([updated(1, 2)], { fingerprint })]).catch((error: unknown) => error);
      await held.reached();
      expect(await second.committer.earlier({ key: null, fingerprint })).to.equal(undefined);
      expect(await shownVersion()).to.equal(1);

      await gate.close();
      expect(await second.committer.earlier({ key: null, fingerprint })).to.have.nested.property('events[0].version', 2);
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
      expect((await first.committer.commit([command([updated(1, 2)])]))[0]).to.have.nested.property('events[0].position', 2);
      expect(await shownVersion()).to.equal(2);
      expect(await expectGraphToShowJournal(second, stage.graph.reader)).to.have.length(2);
    });

    it('says that nothing happened when the connection was lost before COMMIT', async () => {
      held.hold('inside_commit');
      const answer = rejection(first.committer.commit([command([updated(1, 2)])]));
      await held.reached();
      gate.cut();
      held.release();
      expect(await answer).to.be.instanceOf(DependencyError).and.to.include({ dependency: 'journal', outcomeUnknown: false });
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
      expect(await answer).to.be.instanceOf(DependencyError).and.to.include({ dependency: 'journal', outcomeUnknown: true });
      expect(await second.journal.head()).to.equal(2);
      expect(await second.committer.earlier({ key: null, fingerprint })).to.have.property('kind', 'repeated');
      expect(await expectGraphToShowJournal(second, stage.graph.reader)).to.have.length(2);
    });

    it('tells those whose events the graph could not show that they stand, commits nothing while it is down, and catches up', async () => {
      const breaker = createBreaker('graph');
      const graph = breaker.guard(commitGraph(stage.graph));
      const cautious = stage.start({ graph, config: { leaseMs: 60_000 } });
      await second.close();
      await first.close();
      breaker.break();
      const error = await rejection(cautious.committer.commit([command([updated(1, 2)])]));
      expect(error).to.be.instanceOf(DependencyError).and.to.include({ dependency: 'graph', message: 'Graph database unavailable', outcomeUnknown: true });
      const refusal = await rejection(cautious.committer.commit([command([stored(2)])]));
      expect(refusal).to.be.instanceOf(DependencyError).and.to.include({ dependency: 'graph', outcomeUnknown: false, retryAfterSeconds: 2 });
      expect(await wholeJournal(cautious.journal)).to.have.length(2);
      breaker.mend();
      await until('the graph shows it', async () => (await shownVersion()) === 2);
      expect((await cautious.committer.commit([command([stored(2)])]))[0]?.kind).to.equal('committed');
    });

    it('refuses commands while more events wait for the graph than are allowed', async () => {
      held.hold('before_apply');
      const full = stage.start({ config: { pendingLimit: 1 } });
      const waiting = first.committer.commit([command([updated(1, 2)])]);
      await held.reached();
      const error = await until('it noticed', () => full.committer.commit([command([updated(7, 2)])]).then(() => null, (refusal: Error) => refusal));
      expect(error.message).to.contain('COMMIT_PENDING_LIMIT');
      held.release();
      await waiting;
      await until('it accepts again', () => full.committer.commit([command([stored(2)])]).then((outcomes) => outcomes.length === 1, () => false));
    });
  });
}

/** Holds one commit up at a step until it is released. */
function holdingFailpoints() {
  let heldStep: CommitStep | null = null;
  let release = (): void => undefined;
  let reach = (): void => undefined;
  let reached = Promise.resolve();
  const failpoints: Failpoints = {
    hit: (step) => {
      if (step !== heldStep) return;
      heldStep = null;
      reach();
      return new Promise((resolve) => {
        release = resolve;
      });
    },
  };
  return {
    failpoints,
    hold: (step: CommitStep): void => {
      heldStep = step;
      reached = new Promise((resolve) => {
        reach = resolve;
      });
    },
    reached: () => reached,
    release: () => release(),
  };
}
