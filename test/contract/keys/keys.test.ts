/** The promises of every table of keys. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { KEYS_LIMIT } from '../../../shared/contract/limits.js';
import { ConflictError } from '../../../shared/kernel/errors.js';
import { hashOfKey, newKey } from '../../../shared/kernel/keys.js';
import type { Keys, NewKey } from '../../../shared/ports/keys.js';
import { KEY_ADAPTERS, type OpenKeys } from '../../support/adapters/keys.js';
import { rejection } from '../../support/checks/rejection.js';
import { until } from '../../support/checks/until.js';

const LATER = '2126-06-01T08:30:00.125000+00:00';
const EARLIER = '2026-06-01T08:30:00+00:00';

for (const adapter of KEY_ADAPTERS) {
  describe(`keys: ${adapter.name}`, () => {
    let opened: OpenKeys;
    let keys: Keys;
    beforeEach(async () => {
      opened = await adapter.open();
      ({ keys } = opened);
    });
    afterEach(() => opened.close());

    it('keep what a key is made with, and find it by its hash', async () => {
      const { hash, ...given } = newRow({
        name: 'agent-1',
        tag: 'agent:one',
        expiresAt: LATER,
        requestsPerMinute: 600,
      });
      const key = await keys.create({ ...given, hash });
      expect(key).to.deep.include({ ...given, previousUntil: null, window: null, lastUsedAt: null, uses: 0 });
      expect(Math.abs(Date.now() - Date.parse(key.createdAt))).to.be.lessThan(60_000);
      expect(await keys.findByHash(hash)).to.deep.equal(key);
      expect(await keys.find(key.id)).to.deep.equal(key);
      expect(await keys.findByHash(hashOfKey('another'))).to.equal(null);
      expect(await keys.find(randomUUID())).to.equal(null);
    });

    it('have no name twice, and are listed in their order', async () => {
      for (const name of ['b', 'a']) await keys.create(newRow({ name }));
      expect(await rejection(keys.create(newRow({ name: 'a' })))).to.be.instanceOf(ConflictError);
      expect((await keys.list()).map(({ name }) => name)).to.deep.equal(['b', 'a']);
    });

    it('work after a rotation by both hashes, until the time of the first', async () => {
      const { id, hash } = newRow();
      await keys.create({ ...newRow({ tag: 'agent:one' }), id, hash });
      const second = hashOfKey('second');
      const rotated = await keys.rotate(id, { hash: second, previousUntil: LATER });
      expect(rotated).to.deep.include({ id, tag: 'agent:one', previousUntil: LATER });
      for (const each of [hash, second]) expect((await keys.findByHash(each))?.id).to.equal(id);
      const third = hashOfKey('third');
      await keys.rotate(id, { hash: third, previousUntil: EARLIER });
      const found = await Promise.all([hash, second, third].map((each) => keys.findByHash(each)));
      expect(found.map((key) => key?.id ?? null)).to.deep.equal([null, null, id]);
      await keys.rotate(id, { hash: second, previousUntil: null });
      expect(await keys.findByHash(third)).to.equal(null);
      expect(await keys.rotate(randomUUID(), { hash, previousUntil: null })).to.equal(null);
    });

    it('are gone when they are removed, and their name is free', async () => {
      const row = newRow({ name: 'gone' });
      await keys.create(row);
      expect(await keys.remove(row.id)).to.equal(true);
      expect(await keys.remove(row.id)).to.equal(false);
      expect(await keys.findByHash(row.hash)).to.equal(null);
      await keys.create(newRow({ name: 'gone' }));
    });

    it('add up their uses', async () => {
      const { id } = await keys.create(newRow());
      await Promise.all([keys.addUses(id, 3), keys.addUses(id, 4)]);
      const used = await keys.find(id);
      expect(used?.uses).to.equal(7);
      expect(Math.abs(Date.now() - Date.parse(used?.lastUsedAt ?? ''))).to.be.lessThan(60_000);
      await keys.addUses(randomUUID(), 1);
    });

    it('add the requests of several processes to one window, by both hashes', async () => {
      const row = newRow({ requestsPerMinute: 600 });
      await keys.create(row);
      const second = hashOfKey('second');
      await keys.rotate(row.id, { hash: second, previousUntil: LATER });
      const add = (hash: string, requests: number) => keys.addRequests(hash, { requests, windowMs: 60_000 });
      await Promise.all([row.hash, second].flatMap((hash) => [3, 4, 5].map((requests) => add(hash, requests))));
      const counted = await add(second, 1);
      expect(counted).to.deep.include({ id: row.id, requestsPerMinute: 600, uses: 0 });
      expect(counted?.window?.requests).to.equal(25);
      expect(counted?.window?.ageMs).to.be.within(0, 60_000);
      expect((await keys.findByHash(row.hash))?.window?.requests).to.equal(25);
      expect(await add(hashOfKey('another'), 1)).to.equal(null);
    });

    it('begin another window when the last one is over', async () => {
      const { hash } = newRow();
      await keys.create({ ...newRow(), hash });
      const add = (requests: number, windowMs: number) => keys.addRequests(hash, { requests, windowMs });
      await add(500, 60_000);
      const next = await until('a window to end', async () => {
        const window = (await add(1, 50))?.window;
        return window?.requests === 1 && window;
      });
      expect(next.ageMs).to.be.within(0, 50);
      expect((await add(2, 60_000))?.window?.requests).to.equal(3);
    });

    it('are refused above their limit', async () => {
      for (let made = 0; made < KEYS_LIMIT; made += 100)
        await Promise.all(Array.from({ length: 100 }, () => keys.create(newRow())));
      expect(await rejection(keys.create(newRow())))
        .to.be.instanceOf(ConflictError)
        .with.property('message')
        .that.includes(`There are ${KEYS_LIMIT} keys`);
    });
  });
}

function newRow(given: Partial<NewKey> = {}): NewKey {
  const id = randomUUID();
  return {
    id,
    name: id,
    scopes: ['memories:read', 'graph:read'],
    tag: null,
    expiresAt: null,
    requestsPerMinute: null,
    hash: hashOfKey(newKey()),
    ...given,
  };
}
