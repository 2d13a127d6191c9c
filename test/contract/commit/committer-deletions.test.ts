/** Contract of every committer for deletions: data and associations of the memory are erased and never come back. */
import { expect } from 'chai';
import { type AssociationKey, associationSubject } from '../../../shared/contract/association.js';
import {
  command,
  COMMITTER_ADAPTERS,
  type OpenCommitter,
  switchedFailpoints,
} from '../../support/adapters/committers.js';
import { associated, deleted, numberedId, stored, updated } from '../../support/fixtures/events.js';

const ROUNDS = 40;

for (const adapter of COMMITTER_ADAPTERS) {
  describe(`deletions: ${adapter.name}`, () => {
    let opened: OpenCommitter;
    beforeEach(async () => {
      const clock = { now: () => new Date('2024-01-01T10:00:00Z') };
      opened = await adapter.open({
        clock,
        failpoints: switchedFailpoints(),
        publisher: { append: async () => undefined },
      });
    });
    afterEach(() => opened.close());

    const commit = (...args: Parameters<typeof command>) => opened.committer.commit([command(...args)]);
    const between = (source: number, target: number): AssociationKey => ({
      source: numberedId(source),
      type: 'RELATES_TO',
      target: numberedId(target),
    });

    it('erases the data of a memory and its associations, keeps envelopes', async () => {
      await commit([stored(1), stored(2), stored(3), associated(1, 2), associated(3, 1), associated(2, 3)]);
      await commit([updated(1, 2), associated(1, 2, { version: 2 })]);
      await commit([deleted(1, 3)]);

      const events = await opened.journal.read({ after: 0, limit: 100 });
      expect(events).to.have.length(9);
      const gone = [numberedId(1), associationSubject(between(1, 2)), associationSubject(between(3, 1))];
      for (const event of events) {
        if (event.type === 'memory.deleted') expect(event.data).to.deep.equal({});
        else expect(event.data === null, event.subject).to.equal(gone.includes(event.subject));
      }
    });

    it('removes the associations from the graph at both ends', async () => {
      await commit([stored(1), stored(2), stored(3), associated(1, 2), associated(3, 1), associated(2, 3)]);
      await commit([deleted(1, 2)]);
      const left = await opened.graph.associations([between(1, 2), between(3, 1), between(2, 3)]);
      expect(left.map(({ association }) => association.source)).to.deep.equal([numberedId(2)]);
      expect(await opened.graph.memories([numberedId(1)])).to.deep.equal([]);
    });

    it('refuses an association with an absent end', async () => {
      await commit([stored(1)]);
      expect(await commit([associated(1, 2)])).to.deep.equal([{ kind: 'absent', memoryId: numberedId(2) }]);
      await commit([stored(2)]);
      await commit([deleted(1, 2)]);
      expect(await commit([associated(1, 2)])).to.deep.equal([{ kind: 'absent', memoryId: numberedId(1) }]);
    });

    it('keeps no association without both ends in races', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const [source, target] = [round * 2 + 1, round * 2 + 2];
        await commit([stored(source), stored(target)]);
        const removed = round % 2 === 0 ? source : target;
        const racers = [() => commit([associated(source, target)]), () => commit([deleted(removed, 2)])];
        await Promise.all((round % 3 === 0 ? racers.reverse() : racers).map((race) => race()));

        expect(await opened.graph.associations([between(source, target)]), `round ${round}`).to.deep.equal([]);
        const events = await opened.journal.read({
          after: 0,
          limit: 10,
          subject: associationSubject(between(source, target)),
        });
        for (const event of events) expect(event.data, `round ${round}`).to.equal(null);
      }
    });

    it('keeps a supplied vector until its memory is deleted', async () => {
      const vector = Float32Array.of(0.25, -1, 3);
      const [mine, shared] = ['supplied:mine', 'supplied:shared'];
      await commit([stored(1, {}, mine)], { vectors: [{ ref: mine, memoryId: numberedId(1), vector }] });
      for (const number of [1, 2]) await opened.cache.put([{ ref: shared, memoryId: numberedId(number), vector }]);
      expect((await opened.cache.get([mine])).get(mine)).to.deep.equal(vector);

      await commit([deleted(1, 2)]);
      expect([...(await opened.cache.get([mine, shared])).keys()]).to.deep.equal([shared]);
    });

    it('leaves out a vector that comes after the deletion of its memory', async () => {
      const [late, kept] = [1, 2].map((number) => ({
        ref: 'a',
        memoryId: numberedId(number),
        vector: Float32Array.of(1),
      }));
      await commit([stored(1), stored(2)]);
      await commit([deleted(1, 2)]);
      if (late) await opened.cache.put([late]);
      expect((await opened.cache.get(['a'])).size, 'an indexer was slower than the deletion').to.equal(0);
      await opened.cache.put([late, kept].filter((entry) => entry !== undefined));
      await opened.cache.release([numberedId(2)]);
      expect((await opened.cache.get(['a'])).size, 'only the present memory used it').to.equal(0);
    });

    it('erases the earlier data of a subject that a command replaces', async () => {
      await commit([stored(1), stored(2)]);
      await commit([updated(1, 2)]);
      await commit([updated(1, 3)], { erases: [numberedId(1)] });
      const events = await opened.journal.read({ after: 0, limit: 10 });
      expect(events.map(({ subject, version, data }) => [subject, version, data === null])).to.deep.equal([
        [numberedId(1), 1, true],
        [numberedId(2), 1, false],
        [numberedId(1), 2, true],
        [numberedId(1), 3, false],
      ]);
      expect(await opened.graph.memories([numberedId(1)])).to.have.length(1);
    });

    it('stores no vector of a refused command', async () => {
      await commit([updated(1, 2)], {
        vectors: [{ ref: 'refused', memoryId: numberedId(1), vector: Float32Array.of(1) }],
      });
      expect((await opened.cache.get(['refused'])).size).to.equal(0);
    });
  });
}
