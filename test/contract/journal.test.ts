/** What every journal promises to those who read it. */
import { expect } from 'chai';
import { associated, numberedId, stored, updated } from '../support/events.js';
import { JOURNAL_ADAPTERS, type OpenJournal } from '../support/journals.js';

for (const adapter of JOURNAL_ADAPTERS) {
  describe(`journal contract: ${adapter.name}`, () => {
    let opened: OpenJournal;
    beforeEach(async () => {
      opened = await adapter.open();
    });
    afterEach(() => opened.close());

    it('is empty at first, with its head at 0', async () => {
      await opened.journal.ping();
      expect(await opened.journal.head()).to.equal(0);
      expect(await opened.journal.read({ after: 0, limit: 10 })).to.deep.equal([]);
    });

    it('gives every event back as it was, with its position', async () => {
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

    it('reads on behind a position, in order, no more than the limit', async () => {
      const recorded = await opened.append([1, 2, 3, 4, 5].map((number) => stored(number)));
      const first = await opened.journal.read({ after: 0, limit: 2 });
      expect(first).to.deep.equal(recorded.slice(0, 2));
      expect(await opened.journal.read({ after: first.at(-1)?.position ?? 0, limit: 10 })).to.deep.equal(
        recorded.slice(2),
      );
      expect(await opened.journal.head()).to.equal(recorded.at(-1)?.position);
    });

    it('narrows to types and to a subject', async () => {
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

    it('looks no further than a position', async () => {
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
