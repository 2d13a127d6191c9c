/** The last events of subjects, from which a graph is rebuilt. */
import { expect } from 'chai';
import type { RecordedEvent } from '../../../shared/contract/events.js';
import { JOURNAL_ADAPTERS, type OpenJournal } from '../../support/adapters/journals.js';
import { associated, deleted, numberedId, stored, updated } from '../../support/fixtures/events.js';

for (const adapter of JOURNAL_ADAPTERS) {
  describe(`journal states: ${adapter.name}`, () => {
    let opened: OpenJournal;
    beforeEach(async () => {
      opened = await adapter.open();
    });
    afterEach(() => opened.close());

    it('has no state in an empty journal', async () => {
      expect(await opened.journal.states({ after: '', limit: 10 })).to.deep.equal([]);
    });

    it('returns the last event of each subject once, in pages of any size', async () => {
      const recorded = await opened.append([
        stored(3),
        stored(1),
        stored(2),
        updated(1, 2),
        associated(1, 2),
        associated(1, 2, { version: 2 }),
        updated(1, 3),
        deleted(2, 2),
      ]);
      const last = [0, 5, 6, 7].map((index) => recorded[index]);
      for (const limit of [1, 3, 10]) {
        const pages = await walk(limit);
        expect(pages.map(({ length }) => length)).to.satisfy((sizes: number[]) => sizes.every((size) => size <= limit));
        expect(pages.flat()).to.have.deep.members(last).with.lengthOf(last.length);
      }
    });

    it('keeps the order of subjects when other subjects are added', async () => {
      await opened.append([1, 3, 5].map((number) => stored(number)));
      const first = await opened.journal.states({ after: '', limit: 2 });
      await opened.append([2, 4].map((number) => stored(number)));
      const rest = await opened.journal.states({ after: first.at(-1)?.subject ?? '', limit: 10 });
      const subjects = [...first, ...rest].map(({ subject }) => subject);
      expect(subjects).to.include.members([1, 3, 5].map(numberedId));
      expect(new Set(subjects).size).to.equal(subjects.length);
    });

    it('finds the last events of given types and subjects', async () => {
      const [, second, , fourth] = await opened.append([stored(1), updated(1, 2), stored(2), stored(3), deleted(1, 3)]);
      const found = await opened.journal.lastOf({
        subjects: [1, 3, 4].map(numberedId),
        types: ['memory.stored', 'memory.updated'],
      });
      expect(found.map(({ position }) => position)).to.have.members([1, second?.position, fourth?.position]);
      expect(found).to.deep.include(second);
      expect(await opened.journal.lastOf({ subjects: [], types: ['memory.stored'] })).to.deep.equal([]);
    });

    async function walk(limit: number): Promise<readonly (readonly RecordedEvent[])[]> {
      const pages: (readonly RecordedEvent[])[] = [];
      for (let after = ''; ;) {
        const page = await opened.journal.states({ after, limit });
        const last = page.at(-1);
        if (!last) return pages;
        pages.push(page);
        after = last.subject;
      }
    }
  });
}
