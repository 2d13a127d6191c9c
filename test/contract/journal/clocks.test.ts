/** The clocks of processes do not matter: the journal has a clock of its own, and reads return ages. */
import { expect } from 'chai';
import { createIndexerWatch } from '../../../command-api/vector-wait.js';
import type { NewEvent } from '../../../shared/contract/events.js';
import { VECTOR_INDEXER } from '../../../shared/contract/projector-names.js';
import { observeProjectors } from '../../../shared/journal/observe-projectors.js';
import { fleetOf } from '../../../shared/journal/projector-fleet.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { JOURNAL_ADAPTERS, type OpenJournal } from '../../support/adapters/journals.js';
import { withShiftedClock } from '../../support/faults/shifted-clock.js';
import { stored, updated } from '../../support/fixtures/events.js';
import { RUNNING_INDEXER } from '../../support/fixtures/projector-states.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A busy machine may take so long for a test. */
const SLOW_MS = 10_000;

for (const adapter of JOURNAL_ADAPTERS) {
  describe(`clocks of processes: ${adapter.name}`, () => {
    let opened: OpenJournal;
    beforeEach(async () => {
      opened = await adapter.open();
    });
    afterEach(() => opened.close());

    const save = (instance: string, position: number) =>
      opened.states.save({
        ...RUNNING_INDEXER,
        instance,
        position,
      });

    // One process has the embedded journal, so its instances cannot have two clocks.
    if (adapter.name !== 'sqlite') {
      for (const [name, ms] of [
        ['10 minutes ahead', 10 * MINUTE_MS],
        ['10 minutes behind', -10 * MINUTE_MS],
        ['2 days ahead', 2 * DAY_MS],
        ['2 days behind', -2 * DAY_MS],
      ] as const) {
        it(`an instance ${name} is alive, and removes no other instance`, async () => {
          await save('right', 7);
          await withShiftedClock(ms, () => save('wrong', 5));
          await save('right', 7);
          const read = async () => fleetOf(VECTOR_INDEXER, await opened.states.list());
          for (const fleet of [await read(), await withShiftedClock(ms, read)]) {
            expect(fleet.isRunning).to.equal(true);
            expect(fleet.furthestBehind).to.include({ instance: 'wrong', position: 5 });
          }
          const instances = (await opened.states.list()).map(({ instance }) => instance);
          expect(instances).to.have.members(['right', 'wrong']);
        });

        it(`a killed instance ${name} is dead after its takeover time`, async () => {
          await withShiftedClock(ms, () => save('wrong', 5));
          await opened.pass(MINUTE_MS);
          await save('right', 7);
          const { furthestBehind } = fleetOf(VECTOR_INDEXER, await opened.states.list());
          expect(furthestBehind).to.include({ instance: 'right', position: 7 });
        });

        it(`a process ${name} reports the true lag of the indexer`, async () => {
          const { journal, states: projectorStates } = opened;
          await withShiftedClock(ms, async () => {
            await opened.append([{ ...stored(1), time: new Date().toISOString() }]);
            await opened.pass(MINUTE_MS);
            await save('one', 0);
            const around = [MINUTE_MS, MINUTE_MS + SLOW_MS] as const;
            const watch = createIndexerWatch({ journal, states: projectorStates, logger: silentLogger });
            expect(await watch()).to.be.within(...around);
            const { projectors } = await observeProjectors(await projectorStates.list(), { journal, projectorStates });
            const seconds = projectors.find(({ name: projector }) => projector === VECTOR_INDEXER)?.lag.seconds;
            expect(seconds).to.be.within(MINUTE_MS / 1_000, (MINUTE_MS + SLOW_MS) / 1_000);
          });
        });
      }
    }

    it('an instance is alive after the journal clock jumped', async () => {
      for (const ms of [-DAY_MS, DAY_MS]) {
        await save('one', 5);
        await opened.pass(ms);
        await save('one', 6);
        const { isRunning, furthestBehind } = fleetOf(VECTOR_INDEXER, await opened.states.list());
        expect(isRunning).to.equal(true);
        expect(furthestBehind?.heartbeatAgeMs).to.be.within(0, SLOW_MS);
      }
    });

    it('a killed instance is dead after the journal clock was set back', async () => {
      await save('killed', 5);
      await opened.pass(-DAY_MS);
      await save('right', 7);
      await opened.pass(MINUTE_MS);
      await save('right', 7);
      const { furthestBehind } = fleetOf(VECTOR_INDEXER, await opened.states.list());
      expect(furthestBehind).to.include({ instance: 'right', position: 7 });
    });

    it('returns the age of the first event after a position', async () => {
      const now = new Date().toISOString();
      const [first, second] = await opened.append([
        { ...stored(1), time: now },
        { ...stored(2), time: now },
      ]);
      await opened.pass(MINUTE_MS);
      expect(await opened.journal.ageAfter(first?.position ?? 0)).to.be.within(MINUTE_MS, MINUTE_MS + SLOW_MS);
      expect(await opened.journal.ageAfter(second?.position ?? 0)).to.equal(null);
    });

    it('counts its last events by type and by the step of its own clock', async () => {
      const time = new Date().toISOString();
      const append = (events: readonly NewEvent[]) => opened.append(events.map((event) => ({ ...event, time })));
      /** The present time is in the middle of a step, so that the test ends in it. */
      const isInside = (ms: number): boolean => Math.abs((Date.now() % ms) / ms - 0.5) < 0.25;
      const stepMs = Array.from({ length: 60 }, (_, index) => MINUTE_MS + index * 1_000).find(isInside) ?? DAY_MS;
      const request = { after: 0, stepMs, limit: 10 };
      const count = async (changes: object = {}) => {
        const { head, now, counts } = await opened.journal.countSteps({ ...request, ...changes });
        return { head, counts: counts.map(({ step, type, events }) => `${now - step} ${type} ${events}`).sort() };
      };
      expect(await count()).to.deep.equal({ head: 0, counts: [] });
      const [first] = await append([stored(1), stored(2), updated(1, 2)]);
      const head = await opened.journal.head();
      expect(await count()).to.deep.equal({ head, counts: ['0 memory.stored 2', '0 memory.updated 1'] });
      expect(await count({ limit: 2 })).to.deep.equal({ head, counts: ['0 memory.stored 1', '0 memory.updated 1'] });
      const after = first?.position ?? 0;
      expect(await count({ after })).to.deep.equal({ head, counts: ['0 memory.stored 1', '0 memory.updated 1'] });
      expect(await count({ after: head })).to.deep.equal({ head, counts: [] });
      expect(await count({ after: head + 100 })).to.deep.equal({ head, counts: [] });
      for (const steps of [2, 60, -1_440]) {
        await opened.pass(steps * stepMs);
        expect((await count()).counts).to.deep.equal([`${steps} memory.stored 2`, `${steps} memory.updated 1`]);
        await opened.pass(-steps * stepMs);
      }
    });
  });
}
