/**
 * The commit protocol with a failure at each of its steps: an event is committed once or not at all, and needs no
 * restart to reach the graph.
 */
import { expect } from 'chai';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { COMMIT_STEPS, type CommitStep } from '../../../shared/ports/committer.js';
import { command, switchedFailpoints } from '../../support/adapters/committers.js';
import { OUTBOX_GRAPHS } from '../../support/adapters/graphs.js';
import { openOutboxSetup, type OutboxProcess, type OutboxSetup } from '../../support/adapters/outbox-setup.js';
import { expectGraphMatchesJournal } from '../../support/checks/examine-outbox.js';
import { rejection } from '../../support/checks/rejection.js';
import { associated, deleted, numberedId, stored, updated } from '../../support/fixtures/events.js';

const key = { key: 'a'.repeat(64), requestHash: 'b'.repeat(64) };
const fingerprint = 'f'.repeat(64);
/** From this step on the events are committed. */
const COMMITTED = COMMIT_STEPS.indexOf('after_commit');

for (const adapter of OUTBOX_GRAPHS) {
  describe(`outbox failpoints: ${adapter.name}`, () => {
    let setup: OutboxSetup;
    let failpoints: ReturnType<typeof switchedFailpoints>;
    let first: OutboxProcess;
    let second: OutboxProcess;
    beforeEach(async () => {
      failpoints = switchedFailpoints();
      setup = await openOutboxSetup(adapter);
      first = setup.start({ failpoints });
      second = setup.start();
    });
    afterEach(() => setup.close());

    const breakCommit = async (step: CommitStep, ...args: Parameters<typeof command>): Promise<DependencyError> => {
      failpoints.broken.add(step);
      const error = await rejection(first.committer.commit([command(...args)]));
      failpoints.broken.clear();
      expect(error).to.be.instanceOf(DependencyError);
      return error as DependencyError;
    };

    for (const [index, step] of COMMIT_STEPS.entries()) {
      const isCommitted = index >= COMMITTED;

      it(`${step}: reports ${isCommitted ? 'an unknown outcome and commits' : 'a failure and commits nothing'}`, async () => {
        const error = await breakCommit(step, [stored(1), stored(2), associated(1, 2)]);
        expect(error.outcomeUnknown).to.equal(isCommitted);
        expect(await expectGraphMatchesJournal(second, setup.graph.reader)).to.have.length(isCommitted ? 3 : 0);
      });

      it(`${step}: has one effect when repeated with its key, on any process`, async () => {
        await breakCommit(step, [stored(1)], { key });
        const [here] = await first.committer.commit([command([stored(1)], { key })]);
        const [there] = await second.committer.commit([command([stored(1)], { key })]);
        expect(here?.kind).to.equal(isCommitted ? 'repeated' : 'committed');
        expect(there).to.deep.equal({ ...here, kind: 'repeated' });
        expect(await expectGraphMatchesJournal(second, setup.graph.reader)).to.have.length(1);
      });

      it(`${step}: is found by fingerprint on any process, and applied`, async () => {
        await breakCommit(step, [stored(1)], { fingerprint });
        for (const { committer } of [second, first]) {
          const found = await committer.earlier({ key: null, fingerprint });
          expect(found?.kind).to.equal(isCommitted ? 'repeated' : undefined);
          expect(await setup.graph.reader.memories([numberedId(1)])).to.have.length(isCommitted ? 1 : 0);
        }
      });

      it(`${step}: lets the next command apply an update and a deletion`, async () => {
        await first.committer.commit([command([stored(1), stored(2), associated(1, 2)])]);
        await breakCommit(step, [updated(1, 2, { content: 'second' })]);
        const version = isCommitted ? 2 : 1;
        const [late] = await second.committer.commit([command([deleted(1, version === 2 ? 2 : 3)])]);
        expect(late).to.deep.equal({ kind: 'conflict', subject: numberedId(1), version });
        // After a conflict the caller must load the newest state, or it would get the same conflict again.
        expect((await setup.graph.reader.memories([numberedId(1)]))[0]?.version).to.equal(version);
        expect((await second.committer.commit([command([deleted(1, version + 1)])]))[0]?.kind).to.equal('committed');
        expect(await expectGraphMatchesJournal(second, setup.graph.reader)).to.have.length(version + 3);
      });
    }
  });
}
