import { expect } from 'chai';
import { decideDelete, decideDeleteTagged } from '../../../../command-api/memories/delete-memories.js';
import { NotFoundError, PreconditionError } from '../../../../shared/kernel/errors.js';
import { facts, loaded, memoryId } from '../fixtures.js';

describe('decideDelete', () => {
  it('creates one event without content', () => {
    const { events } = decideDelete(loaded(), { ...facts(), ifMatch: null });

    expect(events).to.have.length(1);
    expect(events[0]).to.deep.include({
      type: 'memory.deleted',
      data: {},
      subject: memoryId(1),
      version: 4,
      revision: 3,
    });
  });

  it('refuses a memory that does not exist', () => {
    expect(() => decideDelete(undefined, { ...facts(), ifMatch: null })).to.throw(NotFoundError, 'Memory not found');
  });

  it('refuses another revision than the caller saw', () => {
    expect(() => decideDelete(loaded(), { ...facts(), ifMatch: [7] })).to.throw(PreconditionError);
  });
});

describe('decideDeleteTagged', () => {
  it('deletes memories with one of the tags in any case', () => {
    const state = [loaded({ tags: ['A:b'] }), loaded({ id: memoryId(2), tags: ['c'] })];

    const { events } = decideDeleteTagged(state, [' a:B ', 'C'], facts());

    expect(events.map(({ subject }) => subject)).to.deep.equal([memoryId(1), memoryId(2)]);
  });

  it('keeps memories that lost the tag or share only a prefix', () => {
    expect(decideDeleteTagged([loaded({ tags: ['a:b'] }), loaded({ tags: [] })], ['a'], facts()).events).to.deep.equal(
      [],
    );
  });
});
