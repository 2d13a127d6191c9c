import { expect } from 'chai';
import { createListedDeletions } from '../../../../deploy/commands/restore/read-deletions.js';
import type { RecordedEvent } from '../../../../shared/contract/events.js';
import { randomIds } from '../../../../shared/kernel/clock.js';
import {
  associated,
  association,
  deleted,
  memory,
  memoryId,
  stored,
  updated,
} from '../../../support/fixtures/memories.js';

const AT = '2024-05-05T12:00:00+00:00';

/** A list with the memories 1 and 2. */
function listed() {
  const deletions = new Map([1, 2].map((number) => [memoryId(number), AT]));
  return createListedDeletions({ deletions, ids: randomIds });
}
const at = (position: number, event: RecordedEvent): RecordedEvent => ({ ...event, position });

describe('createListedDeletions', () => {
  it('erases the data of listed memories and of their associations alone', () => {
    const events = [
      stored(memory(1)),
      updated(memory(2), 2),
      stored(memory(3)),
      associated(association(1, 3)),
      associated(association(3, 2)),
      associated(association(3, 4)),
      deleted(2, 3),
    ];
    const isErased = listed()
      .erase(events)
      .map(({ data }) => data === null);
    expect(isErased).to.deep.equal([true, true, false, true, true, false, false]);
  });

  it('adds a deletion for each listed memory that is present', () => {
    const list = listed();
    list.erase([
      at(8, updated(memory(1), 3)),
      at(5, stored(memory(1))),
      at(9, stored(memory(3))),
      at(7, deleted(2, 4)),
    ]);
    const [event, ...more] = list.events();
    expect(more).to.deep.equal([]);
    expect(event).to.include({ type: 'memory.deleted', subject: memoryId(1), version: 4, position: 10, time: AT });
  });

  it('keeps only embeddings of other memories', () => {
    const entries = [1, 3].map((number) => ({ ref: 'm:1', memoryId: memoryId(number), vector: Float32Array.of(1) }));
    expect(listed().keep(entries)).to.deep.equal([entries[1]]);
  });
});
