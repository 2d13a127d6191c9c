/** The promises of every table of dead letters. */
import { expect } from 'chai';
import type { DeadLetter, NewDeadLetter } from '../../../shared/ports/journal.js';
import { JOURNAL_ADAPTERS, type OpenJournal } from '../../support/adapters/journals.js';

function letter(number: number, overrides: Partial<NewDeadLetter> = {}): NewDeadLetter {
  return {
    projector: 'vector-indexer',
    eventId: `event-${number}`,
    subject: `subject-${number}`,
    type: 'memory.stored',
    version: 1,
    position: number,
    reason: 'refused',
    attempts: 1,
    at: '2024-01-01T10:00:00.000Z',
    ...overrides,
  };
}

for (const adapter of JOURNAL_ADAPTERS) {
  describe(`dead letters: ${adapter.name}`, () => {
    let opened: OpenJournal;
    beforeEach(async () => {
      opened = await adapter.open();
    });
    afterEach(() => opened.close());

    const list = (projector?: string, afterId = 0, limit = 100) =>
      opened.deadLetters.list({ afterId, limit, ...(projector === undefined ? {} : { projector }) });

    it('lists letters in pages, for one projector or all', async () => {
      for (const number of [1, 2, 3]) await opened.deadLetters.add(letter(number));
      await opened.deadLetters.add(letter(4, { projector: 'enricher' }));
      const all = await list();
      expect(all.map(({ id: _, awaitsRedrive: __, ...rest }) => rest)).to.deep.equal([
        letter(1),
        letter(2),
        letter(3),
        letter(4, { projector: 'enricher' }),
      ]);
      expect(await list('vector-indexer', all[0]?.id, 1)).to.deep.equal([all[1]]);
      expect([await opened.deadLetters.count(), await opened.deadLetters.count('enricher')]).to.deep.equal([4, 1]);
    });

    it('keeps one letter for an event and projector, with the last reason', async () => {
      await opened.deadLetters.add(letter(1));
      await opened.deadLetters.add(letter(1, { reason: 'refused again', attempts: 2, at: '2024-01-01T11:00:00.000Z' }));
      await opened.deadLetters.add(letter(1, { projector: 'enricher' }));
      expect((await list('vector-indexer')).map(({ reason, attempts, at }) => [reason, attempts, at])).to.deep.equal([
        ['refused again', 2, '2024-01-01T11:00:00.000Z'],
      ]);
      expect(await opened.deadLetters.count()).to.equal(2);
    });

    it('keeps a letter whose reason quotes a NUL character', async () => {
      await opened.deadLetters.add(letter(1, { reason: 'refused: "日本語 \u0000"' }));
      expect((await list())[0]?.reason).to.match(/^refused: "日本語 /u);
    });

    const numbers = (letters: readonly DeadLetter[]): readonly number[] => letters.map(({ position }) => position);

    it('returns letters by id, and discards them', async () => {
      for (const number of [1, 2, 3]) await opened.deadLetters.add(letter(number));
      const ids = (await list()).map(({ id }) => id);
      const [first = 0, second = 0] = ids;
      expect(numbers(await opened.deadLetters.get([second, first, 999_999]))).to.deep.equal([1, 2]);
      expect(await opened.deadLetters.get([])).to.deep.equal([]);
      await opened.deadLetters.discard([first, 999_999]);
      expect(numbers(await list())).to.deep.equal([2, 3]);
    });

    it('gives each requested redrive to one caller, oldest first', async () => {
      for (const number of [1, 2, 3, 4]) await opened.deadLetters.add(letter(number));
      await opened.deadLetters.add(letter(5, { projector: 'enricher' }));
      const ids = (await list()).map(({ id }) => id);
      await opened.deadLetters.requestRedrive([...ids.slice(1), 999_999]);
      expect((await list()).map(({ awaitsRedrive }) => awaitsRedrive)).to.deep.equal([false, true, true, true, true]);
      const taken = await Promise.all([1, 2, 3].map(() => opened.deadLetters.takeRedrives('vector-indexer', 2)));
      expect(numbers(taken.flat())).to.have.members([2, 3, 4]);
      expect(taken.flat().every(({ awaitsRedrive }) => !awaitsRedrive)).to.equal(true);
      expect(
        (await list()).filter(({ awaitsRedrive }) => awaitsRedrive).map(({ projector }) => projector),
      ).to.deep.equal(['enricher']);
    });

    it('clears a requested redrive when the letter is added again', async () => {
      await opened.deadLetters.add(letter(1));
      await opened.deadLetters.requestRedrive((await list()).map(({ id }) => id));
      await opened.deadLetters.add(letter(1, { attempts: 2 }));
      expect(await opened.deadLetters.takeRedrives('vector-indexer', 10)).to.deep.equal([]);
      expect((await list())[0]).to.include({ attempts: 2, awaitsRedrive: false });
    });

    it('resolves the letters of a subject up to a version', async () => {
      for (const version of [1, 2, 3]) await opened.deadLetters.add(letter(version, { subject: 'same', version }));
      await opened.deadLetters.add(letter(9, { subject: 'other' }));
      expect(await opened.deadLetters.resolve({ projector: 'vector-indexer', subject: 'same', version: 2 })).to.equal(
        2,
      );
      expect(await opened.deadLetters.resolve({ projector: 'enricher', subject: 'same', version: 9 })).to.equal(0);
      expect((await list()).map(({ subject, version }) => [subject, version])).to.deep.equal([
        ['same', 3],
        ['other', 1],
      ]);
    });

    it('finds the subjects with a letter at or above a version', async () => {
      await opened.deadLetters.add(letter(1, { subject: 'a', version: 2 }));
      await opened.deadLetters.add(letter(2, { subject: 'b', version: 2 }));
      const wanted = [
        { subject: 'a', version: 2 },
        { subject: 'b', version: 3 },
        { subject: 'c', version: 1 },
      ];
      expect(await opened.deadLetters.find('vector-indexer', wanted)).to.deep.equal(new Set(['a']));
      expect(await opened.deadLetters.find('enricher', wanted)).to.deep.equal(new Set());
    });
  });
}
