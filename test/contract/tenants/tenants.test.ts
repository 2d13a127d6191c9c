/** The promises of every list of tenants. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { TENANTS_LIMIT } from '../../../shared/contract/limits.js';
import { ConflictError } from '../../../shared/kernel/errors.js';
import type { Tenants } from '../../../shared/ports/tenants.js';
import { type OpenTenants, TENANT_ADAPTERS } from '../../support/adapters/tenants.js';
import { rejection } from '../../support/checks/rejection.js';
import { until } from '../../support/checks/until.js';

for (const adapter of TENANT_ADAPTERS) {
  describe(`list of tenants: ${adapter.name}`, () => {
    let opened: OpenTenants;
    let tenants: Tenants;
    beforeEach(async () => {
      opened = await adapter.open();
      ({ tenants } = opened);
    });
    afterEach(() => opened.close());

    const create = (name: string) => tenants.create({ id: randomUUID(), name });
    const make = async (name: string) => {
      const { id } = await create(name);
      await tenants.activate(id);
      return id;
    };
    const only = async () => (await tenants.list())[0];

    it('has a new tenant in the state of a deletion until its data is made', async () => {
      const id = randomUUID();
      const made = await tenants.create({ id, name: 'blue' });
      expect(made).to.deep.include({ id, name: 'blue', state: 'deleting', reason: null, isSettled: true });
      expect(made.usage).to.deep.equal({ memories: 0, bytes: 0, at: null });
      expect(Math.abs(Date.now() - Date.parse(made.createdAt))).to.be.lessThan(60_000);
      expect(await tenants.leftovers(0)).to.deep.equal([made]);
      expect(await tenants.leftovers(60_000)).to.deep.equal([]);
      const active = await tenants.activate(id);
      expect(active).to.deep.equal({ ...made, state: 'active' });
      expect(await tenants.list()).to.deep.equal([active]);
      expect(await tenants.leftovers(0)).to.deep.equal([]);
      expect(await tenants.activate(randomUUID())).to.equal(null);
    });

    it('has no name twice, and the oldest tenant first', async () => {
      for (const name of ['b', 'a']) await create(name);
      const error = await rejection(create('a'));
      expect(error).to.be.instanceOf(ConflictError);
      expect(error.message).to.equal("A tenant with the name 'a' exists: choose another name");
      expect((await tenants.list()).map(({ name }) => name)).to.deep.equal(['b', 'a']);
    });

    it('makes one of two tenants with the same name at the same time', async () => {
      const made = await Promise.allSettled([create('a'), create('a'), create('a')]);
      expect(made.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
      expect(await tenants.list()).to.have.length(1);
    });

    it('suspends a tenant with a reason, and resumes it', async () => {
      const id = await make('blue');
      const suspended = await tenants.update(id, { state: 'suspended', reason: 'The trial ended' });
      expect(suspended).to.include({ state: 'suspended', reason: 'The trial ended' });
      expect(await only()).to.deep.equal(suspended);
      const active = await tenants.update(id, { state: 'active', reason: null });
      expect(active).to.include({ state: 'active', reason: null });
      expect(await tenants.update(randomUUID(), { state: 'active', reason: null })).to.equal(null);
    });

    it('keeps a tenant that is being deleted in this state', async () => {
      const id = await make('blue');
      await tenants.update(id, { state: 'deleting', reason: null });
      const unchanged = await tenants.update(id, { state: 'active', reason: null });
      expect(unchanged?.state).to.equal('deleting');
      await until('a millisecond has passed', async () => (await tenants.leftovers(0)).some((each) => each.id === id));
    });

    it('has the last counts of a tenant, whether its work is settled or not', async () => {
      const id = await make('blue');
      await tenants.setSettled(id, false);
      expect(await only()).to.deep.include({ isSettled: false, usage: { memories: 0, bytes: 0, at: null } });
      const counted = await tenants.saveUsage(id, { memories: 7, bytes: 5_000_000_000 });
      expect(counted?.usage).to.deep.include({ memories: 7, bytes: 5_000_000_000 });
      expect(Math.abs(Date.now() - Date.parse(counted?.usage.at ?? ''))).to.be.lessThan(60_000);
      await tenants.setSettled(id, true);
      expect(await only()).to.deep.equal({ ...counted, isSettled: true });
      await tenants.setSettled(randomUUID(), true);
      expect(await tenants.saveUsage(randomUUID(), { memories: 1, bytes: 1 })).to.equal(null);
    });

    it('has another stamp after each change of names and states alone', async () => {
      const stamps = [await tenants.stamp()];
      const note = async () => void stamps.push(await tenants.stamp());
      const { id } = await create('blue');
      await note();
      await tenants.activate(id);
      await note();
      await tenants.update(id, { state: 'suspended', reason: null });
      await note();
      await tenants.remove(id);
      await note();
      const next = await make('blue');
      await note();
      expect(new Set(stamps.slice(1)).size, JSON.stringify(stamps)).to.equal(5);
      for (const change of [
        () => tenants.setSettled(next, false),
        () => tenants.saveUsage(next, { memories: 1, bytes: 1 }),
        () => tenants.noteUse(next),
      ])
        await change();
      expect(await tenants.stamp()).to.equal(stamps.at(-1));
    });

    it('has the tenants that a process has used of late', async () => {
      const [id] = [await make('blue'), await make('amber')];
      expect(await tenants.usedWithin(60_000)).to.deep.equal([]);
      await tenants.noteUse(id);
      expect(await tenants.usedWithin(60_000)).to.deep.equal([id]);
      await until('the note to be old', async () => (await tenants.usedWithin(1)).length === 0);
    });

    it('has a removed tenant no more, and its name is free', async () => {
      const { id } = await create('blue');
      await tenants.remove(id);
      await tenants.remove(id);
      expect(await tenants.list()).to.deep.equal([]);
      await create('blue');
    });

    it('refuses more tenants than its limit', async () => {
      await opened.fill(TENANTS_LIMIT - 1);
      await create('the-last');
      expect(await rejection(create('one-more')))
        .to.be.instanceOf(ConflictError)
        .with.property('message')
        .that.includes(`There are ${TENANTS_LIMIT} tenants`);
    });
  });
}
