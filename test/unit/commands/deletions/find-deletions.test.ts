import { expect } from 'chai';
import { findDeletions } from '../../../../deploy/commands/deletions/save-deletions.js';
import type { RecordedEvent } from '../../../../shared/contract/events.js';
import { openProjections, type Projections } from '../../../support/adapters/projections.js';
import { memoryId } from '../../../support/fixtures/memories.js';
import { deleted, stored } from '../../../support/fixtures/projector-events.js';

const signal = new AbortController().signal;

describe('findDeletions', () => {
  let projections: Projections;
  beforeEach(async () => {
    projections = await openProjections({ dimension: 3 });
  });
  afterEach(() => projections.close());

  async function find(events: readonly RecordedEvent[], since = 0, through = events.length) {
    await projections.append(events);
    const found = [];
    for await (const page of findDeletions(projections.journal, { since, through, signal })) found.push(...page);
    return found;
  }

  it('finds the deletions after a position and up to another, without words', async () => {
    const events = [1, 2, 3].flatMap((number) => [stored(number), deleted(number, 2)]);
    const found = await find(events, 2, 5);
    expect(found).to.deep.equal([{ id: memoryId(2), deletedAt: events[3]?.time, position: 4 }]);
  });

  it('leaves out a memory that returned, and takes its last deletion', async () => {
    const returned = [stored(1), deleted(1, 2), stored(1, { version: 3 })];
    const again = [stored(2), deleted(2, 2), stored(2, { version: 3 }), deleted(2, 4)];
    expect((await find([...returned, ...again])).map(({ id, position }) => [id, position])).to.deep.equal([
      [memoryId(2), 7],
    ]);
  });

  it('finds more deletions than one page has', async () => {
    const numbers = Array.from({ length: 1_100 }, (_, index) => index + 1);
    const found = await find([
      ...numbers.map((number) => stored(number)),
      ...numbers.map((number) => deleted(number, 2)),
    ]);
    expect(found.map(({ id }) => id)).to.deep.equal(numbers.map(memoryId));
  });
});
