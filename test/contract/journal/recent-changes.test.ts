/** The counts of the last hour that GET /activity keeps, over the journal of each engine. */
import { expect } from 'chai';
import { createRecentChanges } from '../../../query-api/health/recent-changes.js';
import type { NewEvent } from '../../../shared/contract/events.js';
import type { StepCounts } from '../../../shared/ports/journal.js';
import { JOURNAL_ADAPTERS, type OpenJournal } from '../../support/adapters/journals.js';
import { stored, updated } from '../../support/fixtures/events.js';

const STEPS_OF_AN_HOUR = 360;

for (const adapter of JOURNAL_ADAPTERS) {
  describe(`recent changes: ${adapter.name}`, () => {
    const opened: OpenJournal[] = [];
    afterEach(async () => {
      for (const each of opened.splice(0)) await each.close();
    });

    async function open() {
      const journal = await adapter.open();
      opened.push(journal);
      return {
        journal: journal.journal,
        append: (...events: readonly NewEvent[]) =>
          journal.append(events.map((event) => ({ ...event, time: new Date().toISOString() }))),
      };
    }

    /** Follows a journal that can be exchanged, by a clock that can be shifted by steps. */
    async function follow({ limit = 1_000 } = {}) {
      const first = await open();
      const state = { ...first, shifted: 0 };
      const reads: { readonly after: number; readonly events: number }[] = [];
      const changes = createRecentChanges({
        limit,
        journal: {
          countSteps: async (request): Promise<StepCounts> => {
            const found = await state.journal.countSteps(request);
            reads.push({ after: request.after, events: found.counts.reduce((sum, { events }) => sum + events, 0) });
            return { ...found, now: found.now + state.shifted };
          },
        },
      });
      return { state, reads, read: () => changes.read(), total: async () => (await changes.read()).total };
    }

    it('counts each event once', async () => {
      const { state, reads, total } = await follow();
      expect(await total()).to.deep.equal({ stores: 0, changes: 0, background: 0 });
      await state.append(stored(1), stored(2));
      expect(await total()).to.deep.equal({ stores: 2, changes: 0, background: 0 });
      await state.append(updated(1, 2), stored(3));
      const expected = { stores: 3, changes: 1, background: 0 };
      expect(await Promise.all([total(), total(), total()])).to.deep.equal([expected, expected, expected]);
      expect(reads.map(({ events }) => events)).to.deep.equal([0, 2, 2, 0]);
      expect(reads.at(-1)?.after).to.equal(await state.journal.head());
    });

    it('counts again when the journal went back to an earlier state', async () => {
      const { state, reads, total } = await follow();
      await state.append(stored(1), stored(2), stored(3));
      expect(await total()).to.include({ stores: 3 });
      const earlier = await open();
      await earlier.append(stored(1), updated(1, 2));
      Object.assign(state, earlier);
      expect(await total()).to.deep.equal({ stores: 1, changes: 1, background: 0 });
      expect(reads.slice(1).map(({ after, events }) => [after > 0, events])).to.deep.equal([
        [true, 0],
        [false, 2],
      ]);
    });

    it('counts an hour, and again when the clock is set back', async () => {
      const { state, read, total } = await follow();
      await state.append(stored(1));
      expect(await total()).to.include({ stores: 1 });
      state.shifted = STEPS_OF_AN_HOUR - 2;
      const { steps } = await read();
      expect(steps.stores).to.have.length(STEPS_OF_AN_HOUR);
      expect(steps.stores.findIndex((stores) => stores === 1)).to.be.within(0, 1);
      state.shifted = STEPS_OF_AN_HOUR + 1;
      expect(await total(), 'an hour later').to.include({ stores: 0 });
      await state.append(stored(2));
      state.shifted = 0;
      expect(await total(), 'the clock is right again').to.include({ stores: 2 });
      state.shifted = -10;
      expect((await read()).steps.stores.at(-1), 'events of the future count as those of now').to.equal(2);
    });

    it('knows nothing of the steps before the events that one read counts', async () => {
      const { state, read } = await follow({ limit: 3 });
      await state.append(stored(1), stored(2));
      expect((await read()).steps.stores[0]).to.equal(0);
      await state.append(stored(3), stored(4), stored(5), stored(6));
      const { steps, total } = await read();
      expect(total.stores).to.be.at.most(2); // those of the oldest step are not known
      expect(steps.stores.slice(0, -2).every((stores) => stores === null)).to.equal(true);
    });
  });
}
