import { expect } from 'chai';
import { checkGroup, type LockedState } from '../../../../../shared/engines/postgres/commit/check-group.js';
import type { Command } from '../../../../../shared/ports/committer.js';
import { command, prepared } from '../../../../support/adapters/committers.js';
import { associated, deleted, numberedId, stored, updated } from '../../../../support/fixtures/events.js';

const key = { key: 'k', requestHash: 'one body' };
const NOTHING: LockedState = { subjects: new Map(), keys: new Map() };
const present = (...numbers: number[]): LockedState['subjects'] =>
  new Map(numbers.map((number) => [numberedId(number), { version: 1, isPresent: true }]));

const check = (locked: Partial<LockedState>, ...commands: Command[]) =>
  checkGroup(commands.map(prepared), { ...NOTHING, ...locked });
const kinds = (locked: Partial<LockedState>, ...commands: Command[]): string[] =>
  check(locked, ...commands).map(({ kind }) => kind);

describe('checkGroup', () => {
  it('checks each command on the state after the accepted ones before it', () => {
    expect(
      kinds({}, command([stored(1)]), command([updated(1, 2)]), command([updated(1, 2)]), command([updated(1, 3)])),
    ).to.deep.equal(['accepted', 'accepted', 'conflict', 'accepted']);
  });

  it('ignores a refused command for the others', () => {
    expect(
      kinds({ subjects: present(1) }, command([updated(1, 2), updated(2, 2)]), command([updated(1, 2)])),
    ).to.deep.equal(['conflict', 'accepted']);
  });

  it('refuses an association with a memory that the group deleted before', () => {
    expect(
      kinds(
        { subjects: present(1, 2) },
        command([deleted(1, 2)]),
        command([associated(1, 2)]),
        command([updated(2, 2)]),
      ),
    ).to.deep.equal(['accepted', 'absent', 'accepted']);
  });

  it('repeats the answer of a known key and refuses it with another body', () => {
    const other = { ...key, requestHash: 'another body' };
    expect(
      kinds({}, command([stored(1)], { key }), command([stored(2)], { key }), command([stored(3)], { key: other })),
    ).to.deep.equal(['accepted', 'repeated_here', 'key_reused']);
    const keys = new Map([['k', { requestHash: 'one body', first: 3, last: 5 }]]);
    expect(check({ keys }, command([stored(1)], { key }), command([stored(1)], { key: other }))).to.deep.equal([
      { kind: 'repeated', range: { first: 3, last: 5 } },
      { kind: 'key_reused' },
    ]);
  });

  it('ignores the key of a refused command', () => {
    expect(kinds({}, command([updated(1, 2)], { key }), command([stored(2)], { key }))).to.deep.equal([
      'conflict',
      'accepted',
    ]);
  });
});
