/** The vector spaces and their stored indexes, over each engine. */
import { expect } from 'chai';
import { NotFoundError, RuleError } from '../../../shared/kernel/errors.js';
import { INDEXES_ADAPTERS, type OpenIndexes, type OpenSpaces, SPACE_ADAPTERS } from '../../support/adapters/spaces.js';
import { rejection } from '../../support/checks/rejection.js';
import { memoryId } from '../../support/fixtures/memories.js';
import { point } from '../../support/fixtures/points.js';

for (const adapter of SPACE_ADAPTERS) {
  describe(`vector spaces: ${adapter.name}`, () => {
    let opened: OpenSpaces;
    beforeEach(async () => (opened = await adapter.open()));
    afterEach(() => opened.close());

    const FIRST = { model: 'a/3', dimension: 3, target: null };
    const NEXT = {
      model: 'b/4',
      dimension: 4,
      target: { provider: 'openai', model: 'b', vectorSize: 4 },
      position: 7,
    } as const;
    const states = async () => (await opened.spaces.list()).map(({ number, state }) => [number, state]);

    it('begin with space 1, once for many processes', async () => {
      expect(await opened.spaces.active()).to.equal(null);
      const begun = await Promise.all(Array.from({ length: 5 }, () => opened.spaces.begin(FIRST)));
      expect(new Set(begun.map(({ number }) => number))).to.deep.equal(new Set([1]));
      expect(await opened.spaces.active()).to.deep.equal({ ...FIRST, number: 1, state: 'active', position: 0 });
    });

    it('have one that is being built, whose position only rises', async () => {
      await opened.spaces.begin(FIRST);
      const { number } = await opened.spaces.build(NEXT);
      expect(number).to.equal(2);
      expect(await rejection(opened.spaces.build(NEXT))).to.be.instanceOf(RuleError);
      await opened.spaces.advance(number, 9);
      await opened.spaces.advance(number, 8);
      expect((await opened.spaces.list())[1]).to.deep.equal({ ...NEXT, number: 2, state: 'building', position: 9 });
    });

    it('switch, keep the former space, and drop an earlier one', async () => {
      await opened.spaces.begin(FIRST);
      await opened.spaces.build(NEXT);
      expect(await opened.spaces.activate(2, 30)).to.deep.equal({ dropped: null });
      expect(await states()).to.deep.equal([
        [1, 'previous'],
        [2, 'active'],
      ]);
      expect((await opened.spaces.list())[0]?.position).to.equal(30);
      await opened.spaces.build(NEXT);
      expect((await opened.spaces.activate(3, 40)).dropped).to.include({ number: 1, position: 30 });
      expect(await states()).to.deep.equal([
        [2, 'previous'],
        [3, 'active'],
      ]);
    });

    it('go back to the previous one', async () => {
      await opened.spaces.begin(FIRST);
      await opened.spaces.build(NEXT);
      await opened.spaces.activate(2, 30);
      expect(await opened.spaces.activate(1, 50)).to.deep.equal({ dropped: null });
      expect(await states()).to.deep.equal([
        [1, 'active'],
        [2, 'previous'],
      ]);
      expect(await opened.spaces.activate(1, 60)).to.deep.equal({ dropped: null });
      expect((await opened.spaces.list())[1]?.position).to.equal(50);
      expect(await rejection(opened.spaces.activate(9, 60))).to.be.instanceOf(NotFoundError);
    });

    it('never use a number again, and never drop the active space', async () => {
      await opened.spaces.begin(FIRST);
      await opened.spaces.build(NEXT);
      await opened.spaces.drop(2);
      await opened.spaces.drop(2);
      expect(await rejection(opened.spaces.drop(1))).to.be.instanceOf(RuleError);
      expect((await opened.spaces.build(NEXT)).number).to.equal(3);
      expect(await states()).to.deep.equal([
        [1, 'active'],
        [3, 'building'],
      ]);
    });

    it('know which space each process uses', async () => {
      await opened.spaces.report('one', 1);
      await opened.spaces.report('other', 1);
      await opened.spaces.report('one', 2);
      expect(await opened.spaces.followers()).to.have.deep.members([
        { instance: 'one', number: 2 },
        { instance: 'other', number: 1 },
      ]);
    });
  });
}

for (const adapter of INDEXES_ADAPTERS) {
  describe(`vector space indexes: ${adapter.name}`, () => {
    let opened: OpenIndexes;
    beforeEach(async () => (opened = await adapter.open()));
    afterEach(() => opened.close());

    it('hold their own points, guarded by versions', async () => {
      const first = await opened.indexes.openStore({ number: 1, dimension: 3 });
      const next = await opened.indexes.openStore({ number: 2, dimension: 3 });
      await first.upsert([point(1)]);
      await next.upsert([{ ...point(1), version: 5 }, point(2)]);
      await next.upsert([{ ...point(1), version: 4 }]);
      await next.remove([{ id: memoryId(2), version: 9 }]);
      expect(await next.versions([memoryId(1), memoryId(2)])).to.deep.equal(new Map([[memoryId(1), 5]]));
      expect((await next.scan({ after: '', limit: 10 })).map(({ id, version }) => [id, version])).to.deep.equal([
        [memoryId(1), 5],
      ]);
      expect(await next.count({ excludedTypes: [] })).to.equal(1);
      expect(await first.versions([memoryId(1)])).to.deep.equal(new Map([[memoryId(1), point(1).version]]));
    });

    it('are dropped alone, also twice, and can be opened again', async () => {
      const first = await opened.indexes.openStore({ number: 1, dimension: 3 });
      await first.upsert([point(1)]);
      await (await opened.indexes.openStore({ number: 2, dimension: 3 })).upsert([point(2)]);
      await opened.indexes.drop(2);
      await opened.indexes.drop(2);
      expect(await first.count({ excludedTypes: [] })).to.equal(1);
      const again = await opened.indexes.openStore({ number: 2, dimension: 4 });
      expect(await again.count({ excludedTypes: [] })).to.equal(0);
    });

    it('can be published again and again', async () => {
      await opened.indexes.openStore({ number: 1, dimension: 3 });
      await opened.indexes.openStore({ number: 2, dimension: 3 });
      for (const number of [2, 1, 1]) await opened.indexes.publish(number);
    });
  });
}
