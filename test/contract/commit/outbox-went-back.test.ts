/** A journal that went back while processes run, as after the promotion of a standby that lagged. */
import { expect } from 'chai';
import { createPostgresJournalIdentity } from '../../../shared/engines/postgres/journal/postgres-journal-identity.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { command } from '../../support/adapters/committers.js';
import { GRAPH_ADAPTERS } from '../../support/adapters/graphs.js';
import { openOutboxSetup, type OutboxSetup } from '../../support/adapters/outbox-setup.js';
import { rejection } from '../../support/checks/rejection.js';
import { stored } from '../../support/fixtures/events.js';
import { isServerWanted } from '../../support/servers/servers.js';

for (const adapter of isServerWanted('postgres') ? GRAPH_ADAPTERS.slice(0, 1) : []) {
  describe('journal that went back', () => {
    let setup: OutboxSetup;
    beforeEach(async () => (setup = await openOutboxSetup(adapter)));
    afterEach(() => setup.close());

    /** As a standby that received the events up to this position. Its sequence is ahead, as the log leaves it. */
    const goBackTo = async (position: number): Promise<void> => {
      const { postgres } = setup.temporary;
      await postgres.query('DELETE FROM journal WHERE position > $1', [position]);
      await postgres.query('DELETE FROM subjects WHERE subject NOT IN (SELECT subject FROM journal)');
      await postgres.query("SELECT setval('journal_position_seq', 32)");
    };
    const identity = () => createPostgresJournalIdentity(setup.temporary);
    const positions = async (): Promise<readonly number[]> =>
      (await setup.start().journal.read({ after: 0, limit: 10 })).map(({ position }) => position);

    it('gets no event, and the lost one is saved for other processes', async () => {
      const { committer } = setup.start();
      await committer.commit([command([stored(1)])]);
      await committer.commit([command([stored(2)])]);
      await goBackTo(1);
      const error = await rejection(committer.commit([command([stored(3)])]));
      expect(error).to.be.instanceOf(DependencyError).and.to.include({ dependency: 'journal', outcomeUnknown: false });
      expect(error)
        .to.have.property('message')
        .that.matches(/^The journal went back in time/u);
      expect(await positions()).to.deep.equal([1]);
      expect((await identity().state()).lost).to.deep.equal({ position: 2, eventId: stored(2).id });
    });

    it('accepts commands of a process that saw no later event', async () => {
      await setup.start().committer.commit([command([stored(1)])]);
      await goBackTo(1);
      const [outcome] = await setup.start().committer.commit([command([stored(3)])]);
      expect(outcome?.kind).to.equal('committed');
      expect(await positions()).to.deep.equal([1, 33]);
    });

    it('keeps the first lost event until another history begins', async () => {
      const before = await identity().state();
      await identity().saveLost({ position: 7, eventId: stored(7).id, journalId: before.id });
      await identity().saveLost({ position: 9, eventId: stored(9).id, journalId: null });
      expect((await identity().state()).lost).to.deep.equal({ position: 7, eventId: stored(7).id });
      await identity().beginHistory();
      const after = await identity().state();
      expect(after).to.deep.include({ lost: null, hasMarkedGraph: true, behindFrom: null });
      expect(after.id).not.to.equal(before.id);
    });
  });
}
