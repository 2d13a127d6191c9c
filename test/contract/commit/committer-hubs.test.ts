/** Contract of every committer for the deletion of a memory with many associations: their data is erased in batches. */
import { expect } from 'chai';
import type { RecordedEvent } from '../../../shared/contract/events.js';
import { ERASED_AT_ONCE } from '../../../shared/engines/sql/erased-at-once.js';
import {
  command,
  COMMITTER_ADAPTERS,
  type OpenCommitter,
  switchedFailpoints,
} from '../../support/adapters/committers.js';
import { associated, deleted, numberedId, stored } from '../../support/fixtures/events.js';

const HUB = 100_000;
const NEIGHBOURS = 2 * ERASED_AT_ONCE + 50;
const PAGE = 1_000;

for (const adapter of COMMITTER_ADAPTERS) {
  describe(`committer hubs: ${adapter.name}`, () => {
    let opened: OpenCommitter;
    beforeEach(async () => {
      const clock = { now: () => new Date('2024-01-01T10:00:00Z') };
      const publisher = { append: async () => undefined };
      opened = await adapter.open({ clock, failpoints: switchedFailpoints(), publisher });
      const numbers = Array.from({ length: NEIGHBOURS }, (_, index) => index + 1);
      await commit([stored(HUB), ...numbers.map((number) => stored(number))]);
      await commit(numbers.map((number) => (number % 2 === 0 ? associated(number, HUB) : associated(HUB, number))));
    });
    afterEach(() => opened.close());

    const commit = (...args: Parameters<typeof command>) => opened.committer.commit([command(...args)]);
    async function withData(): Promise<readonly RecordedEvent[]> {
      const events: RecordedEvent[] = [];
      for (let after = 0; ;) {
        const page = await opened.journal.read({ after, limit: PAGE });
        events.push(...page.filter(({ type, data }) => type.startsWith('association.') && data !== null));
        if (page.length < PAGE) return events;
        after = page.at(-1)?.position ?? after;
      }
    }
    async function eraseAll(): Promise<void> {
      while (await opened.eraseRest());
    }

    it('erases at most ERASED_AT_ONCE associations in one transaction', async () => {
      await commit([deleted(HUB, 2)]);
      const left = [NEIGHBOURS, (await withData()).length];
      while (await opened.eraseRest()) left.push((await withData()).length);
      const erased = left.slice(1).map((count, index) => (left[index] ?? 0) - count);
      expect(left.at(-1)).to.equal(0);
      expect(Math.max(...erased)).to.be.within(1, ERASED_AT_ONCE);
      expect(await opened.eraseRest()).to.equal(false);
    });

    it('refuses associations with the deleted memory before all are erased', async () => {
      await commit([deleted(HUB, 2)]);
      const next = associated(2, HUB, { version: 2 });
      expect(await commit([next])).to.deep.equal([{ kind: 'absent', memoryId: numberedId(HUB) }]);
    });

    it('continues after a restart', async () => {
      await commit([deleted(HUB, 2)]);
      await opened.eraseRest();
      opened = await opened.restart();
      await eraseAll();
      expect(await withData()).to.deep.equal([]);
    });

    it('keeps associations that a returned memory gets meanwhile', async () => {
      await commit([deleted(HUB, 2)]);
      await commit([{ ...stored(HUB), id: numberedId(HUB + 3), version: 3, revision: 3 }]);
      await commit([associated(1, HUB, { type: 'PART_OF' })]);
      await eraseAll();
      expect((await withData()).map(({ subject }) => subject)).to.deep.equal([
        `${numberedId(1)}|PART_OF|${numberedId(HUB)}`,
      ]);
      await commit([deleted(HUB, 4)]);
      expect(await withData()).to.deep.equal([]);
    });

    it('erases the associations of two hubs that are deleted together', async () => {
      const [other, numbers] = [HUB + 1, Array.from({ length: NEIGHBOURS }, (_, index) => index + 1)];
      await commit([stored(other), ...numbers.map((number) => associated(number, other))]);
      await commit([deleted(HUB, 2), deleted(other, 2)]);
      await eraseAll();
      expect(await withData()).to.deep.equal([]);
    });
  });
}
