/** The commit protocol broken at each of its steps: an event is there once or not at all, and what is there is shown without a restart. */
import { expect } from 'chai';
import { COMMIT_STEPS, type CommitStep } from '../../shared/commit/committer.js';
import { DependencyError } from '../../shared/kernel/errors.js';
import { command, switchedFailpoints } from '../support/committers.js';
import { associated, deleted, numberedId, stored, updated } from '../support/events.js';
import { expectGraphToShowJournal } from '../support/examine-outbox.js';
import { GRAPH_ADAPTERS } from '../support/graph-adapters.js';
import { openOutboxStage, type OutboxProcess, type OutboxStage } from '../support/outbox.js';
import { rejection } from '../support/rejection.js';
import { isServerWanted } from '../support/servers.js';

const key = { key: 'a'.repeat(64), requestHash: 'b'.repeat(64) };
const fingerprint = 'f'.repeat(64);
/** From here on the events stand. */
const COMMITTED = COMMIT_STEPS.indexOf('after_commit');

for (const adapter of isServerWanted('postgres') ? GRAPH_ADAPTERS : []) {
  describe(`the commit protocol over postgres and ${adapter.name}, broken off`, () => {
    let stage: OutboxStage;
    let failpoints: ReturnType<typeof switchedFailpoints>;
    let first: OutboxProcess;
    let second: OutboxProcess;
    beforeEach(async () => {
      failpoints = switchedFailpoints();
      stage = await openOutboxStage(adapter);
      first = stage.start({ failpoints });
      second = stage.start();
    });
    afterEach(() => stage.close());

    const broken = async (step: CommitStep, ...args: Parameters<typeof command>): Promise<DependencyError> => {
      failpoints.broken.add(step);
      const error = await rejection(first.committer.commit([command(...args)]));
      failpoints.broken.clear();
      expect(error).to.be.instanceOf(DependencyError);
      return error as DependencyError;
    };

    for (const [index, step] of COMMIT_STEPS.entries()) {
      const stands = index >= COMMITTED;

      it(`${step}: says whether it may stand, and ${stands ? 'it stands' : 'nothing does'}`, async () => {
        const error = await broken(step, [stored(1), stored(2), associated(1, 2)]);
        expect(error.outcomeUnknown).to.equal(stands);
        expect(await expectGraphToShowJournal(second, stage.graph.reader)).to.have.length(stands ? 3 : 0);
      });

      it(`${step}: has one effect when it is repeated with its key, here or there`, async () => {
        await broken(step, [stored(1)], { key });
        const [here] = await first.committer.commit([command([stored(1)], { key })]);
        const [there] = await second.committer.commit([command([stored(1)], { key })]);
        expect(here?.kind).to.equal(stands ? 'repeated' : 'committed');
        expect(there).to.deep.equal({ ...here, kind: 'repeated' });
        expect(await expectGraphToShowJournal(second, stage.graph.reader)).to.have.length(1);
      });

      it(`${step}: is found by its fingerprint at once, here and there, and shown`, async () => {
        await broken(step, [stored(1)], { fingerprint });
        for (const { committer } of [second, first]) {
          const found = await committer.earlier({ key: null, fingerprint });
          expect(found?.kind).to.equal(stands ? 'repeated' : undefined);
          expect(await stage.graph.reader.memories([numberedId(1)])).to.have.length(stands ? 1 : 0);
        }
      });

      it(`${step}: leaves an update, and a deletion after it, to the next that comes`, async () => {
        await first.committer.commit([command([stored(1), stored(2), associated(1, 2)])]);
        await broken(step, [updated(1, 2, { content: 'second' })]);
        const version = stands ? 2 : 1;
        const [late] = await second.committer.commit([command([deleted(1, version === 2 ? 2 : 3)])]);
        expect(late).to.deep.equal({ kind: 'conflict', subject: numberedId(1), version });
        // Whoever is told of a conflict loads the newest state, or it would meet the same conflict again.
        expect((await stage.graph.reader.memories([numberedId(1)]))[0]?.version).to.equal(version);
        expect((await second.committer.commit([command([deleted(1, version + 1)])]))[0]?.kind).to.equal('committed');
        expect(await expectGraphToShowJournal(second, stage.graph.reader)).to.have.length(version + 3);
      });
    }
  });
}
