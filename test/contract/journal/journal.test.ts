/** The promises of every journal to its readers. */
import { expect } from 'chai';
import { JOURNAL_ADAPTERS, type OpenJournal } from '../../support/adapters/journals.js';
import { associated, numberedId, stored, updated } from '../../support/fixtures/events.js';

for (const adapter of JOURNAL_ADAPTERS) {
  describe(`journal: ${adapter.name}`, () => {
    let opened: OpenJournal;
    beforeEach(async () => {
      opened = await adapter.open();
    });
    afterEach(() => opened.close());

    it('is empty at first, with head 0', async () => {
      await opened.journal.ping();
      expect(await opened.journal.head()).to.equal(0);
      expect(await opened.journal.read({ after: 0, limit: 10 })).to.deep.equal([]);
    });

    it('knows its size', async () => {
      const { bytes, deletedSubjects } = await opened.journal.size();
      expect(bytes).to.be.above(8_000);
      expect(deletedSubjects).to.equal(0);
    });

    it('returns every event unchanged, with its position', async () => {
      const event = {
        ...stored(1, {
          content: 'naïve 日本語 \u0000 "quoted"',
          metadata: { deep: { list: [1, null, 'x'] } },
          tags: ['a:b'],
        }),
        actor: { name: 'someone', tier: 'admin' as const, agent: 'curl/8' },
        causationId: 'cause',
        traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
        revision: 3,
      };
      const [recorded] = await opened.append([event]);
      expect(await opened.journal.read({ after: 0, limit: 10 })).to.deep.equal([recorded]);
      expect(recorded).to.deep.include(event);
    });

    it('reads after a position, in order, at most the limit', async () => {
      const recorded = await opened.append([1, 2, 3, 4, 5].map((number) => stored(number)));
      const first = await opened.journal.read({ after: 0, limit: 2 });
      expect(first).to.deep.equal(recorded.slice(0, 2));
      expect(await opened.journal.read({ after: first.at(-1)?.position ?? 0, limit: 10 })).to.deep.equal(
        recorded.slice(2),
      );
      expect(await opened.journal.head()).to.equal(recorded.at(-1)?.position);
    });

    it('filters by types and by subject', async () => {
      const events = [stored(1), stored(2), updated(1, 2), associated(1, 2), updated(1, 3)];
      await opened.append(events);
      const read = async (narrow: object): Promise<number[]> =>
        (await opened.journal.read({ after: 0, limit: 10, ...narrow })).map(({ id }) =>
          events.findIndex((event) => event.id === id),
        );
      expect(await read({ types: ['memory.updated', 'association.created'] })).to.deep.equal([2, 3, 4]);
      expect(await read({ subject: numberedId(1) })).to.deep.equal([0, 2, 4]);
      expect(await read({ subject: numberedId(1), types: ['memory.updated'], limit: 1 })).to.deep.equal([2]);
      expect(await read({ types: [] })).to.deep.equal([]);
      expect(await read({ subject: numberedId(1), afterVersion: 1 })).to.deep.equal([2, 4]);
    });

    it('reads up to a position', async () => {
      const [, second, , fourth] = await opened.append([
        stored(1),
        updated(1, 2),
        stored(2),
        updated(1, 3),
        updated(2, 2),
      ]);
      const read = async (narrow: object): Promise<number[]> =>
        (
          await opened.journal.read({
            after: second?.position ?? 0,
            through: fourth?.position ?? 0,
            limit: 10,
            ...narrow,
          })
        ).map(({ version }) => version);
      expect(await read({})).to.deep.equal([1, 3]);
      expect(await read({ types: ['memory.updated'] })).to.deep.equal([3]);
      expect(await read({ subject: numberedId(1) })).to.deep.equal([3]);
      expect(await read({ subject: numberedId(2) })).to.deep.equal([1]);
    });
  });
}
