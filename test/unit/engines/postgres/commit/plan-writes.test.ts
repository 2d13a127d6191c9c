import { expect } from 'chai';
import { associationSubject } from '../../../../../shared/contract/association.js';
import type { NewEvent } from '../../../../../shared/contract/events.js';
import { planWrites } from '../../../../../shared/engines/postgres/commit/plan-writes.js';
import { command, prepared } from '../../../../support/adapters/committers.js';
import { associated, deleted, numberedId, stored, updated } from '../../../../support/fixtures/events.js';

const plan = (...commands: (readonly NewEvent[])[]) => planWrites(commands.map((events) => prepared(command(events))));
const between = (source: number, target: number): string =>
  associationSubject({ source: numberedId(source), type: 'RELATES_TO', target: numberedId(target) });
const vector = (number: number) => ({
  ref: `supplied:${number}`,
  memoryId: numberedId(number),
  vector: Float32Array.of(1),
});

describe('planWrites', () => {
  it('moves each subject once, to the state of its last event', () => {
    const { moves } = plan([stored(1)], [updated(1, 2), updated(1, 3)], [deleted(2, 5)]);
    expect(moves).to.deep.equal([
      { subject: numberedId(1), version: 3, revision: 3, present: true },
      { subject: numberedId(2), version: 5, revision: 5, present: false },
    ]);
  });

  it('appends every event in order with its prepared data', () => {
    const { appends } = plan([stored(1), stored(2)], [associated(1, 2)]);
    expect(appends.map(({ event }) => event)).to.deep.equal([stored(1), stored(2), associated(1, 2)]);
    expect(appends.map(({ dataText }) => dataText)).to.deep.equal(
      [stored(1), stored(2), associated(1, 2)].map(({ data }) => JSON.stringify(data)),
    );
  });

  it('names both ends of an association, and the same end only once', () => {
    const { ends } = plan([associated(1, 2), associated(3, 3)]);
    expect(ends).to.deep.equal([
      { memory_id: numberedId(1), subject: between(1, 2) },
      { memory_id: numberedId(2), subject: between(1, 2) },
      { memory_id: numberedId(3), subject: between(3, 3) },
    ]);
  });

  it('drops data, ends and vectors of a memory that the same group deletes', () => {
    const written = [stored(1), stored(2), stored(3), associated(1, 2), associated(3, 1), associated(2, 3)];
    const writing = prepared(command(written, { vectors: [vector(1), vector(2)] }));
    const { appends, ends, moves, vectors, erased } = planWrites([writing, prepared(command([deleted(1, 2)]))]);
    expect(appends.map(({ dataText }) => dataText === null)).to.deep.equal([
      true,
      false,
      false,
      true,
      true,
      false,
      false,
    ]);
    expect(new Set(ends.map(({ subject }) => subject))).to.deep.equal(new Set([between(2, 3)]));
    expect(moves.filter(({ present }) => !present).map(({ subject }) => subject)).to.have.members([
      numberedId(1),
      between(1, 2),
      between(3, 1),
    ]);
    expect(vectors.map(({ ref }) => ref)).to.deep.equal(['supplied:2']);
    expect(erased).to.deep.equal([numberedId(1)]);
  });
});
