/** What becomes of each command of a group. */
import { expect } from 'chai';
import { judgeGroup, type Locked } from '../../../shared/commit/outbox/judge-group.js';
import { planLocks } from '../../../shared/commit/outbox/plan-locks.js';
import type { Command } from '../../../shared/commit/committer.js';
import { prepareCommand } from '../../../shared/commit/prepare-command.js';
import { command } from '../../support/committers.js';
import { associated, deleted, numberedId, stored, updated } from '../../support/events.js';

const key = { key: 'k', requestHash: 'one body' };
const NOTHING: Locked = { subjects: new Map(), keys: new Map() };
const present = (...numbers: number[]): Locked['subjects'] =>
  new Map(numbers.map((number) => [numberedId(number), { version: 1, isPresent: true }]));

const judge = (locked: Partial<Locked>, ...commands: Command[]) =>
  judgeGroup(commands.map(prepareCommand), { ...NOTHING, ...locked });
const kinds = (locked: Partial<Locked>, ...commands: Command[]): string[] =>
  judge(locked, ...commands).map(({ kind }) => kind);

describe('the judgement of a group', () => {
  it('builds each command on those accepted before it', () => {
    expect(
      kinds({}, command([stored(1)]), command([updated(1, 2)]), command([updated(1, 2)]), command([updated(1, 3)])),
    ).to.deep.equal(['accepted', 'accepted', 'conflict', 'accepted']);
  });

  it('changes nothing for the others by one that it refuses', () => {
    expect(
      kinds({ subjects: present(1) }, command([updated(1, 2), updated(2, 2)]), command([updated(1, 2)])),
    ).to.deep.equal(['conflict', 'accepted']);
  });

  it('refuses an association with what the group deleted before, and a deletion refuses nothing after it', () => {
    expect(
      kinds(
        { subjects: present(1, 2) },
        command([deleted(1, 2)]),
        command([associated(1, 2)]),
        command([updated(2, 2)]),
      ),
    ).to.deep.equal(['accepted', 'absent', 'accepted']);
  });

  it('repeats a key of the group and of before, and refuses it with another body', () => {
    const other = { ...key, requestHash: 'another body' };
    expect(
      kinds({}, command([stored(1)], { key }), command([stored(2)], { key }), command([stored(3)], { key: other })),
    ).to.deep.equal(['accepted', 'repeated_here', 'key_reused']);
    const keys = new Map([['k', { requestHash: 'one body', first: 3, last: 5 }]]);
    expect(judge({ keys }, command([stored(1)], { key }), command([stored(1)], { key: other }))).to.deep.equal([
      { kind: 'repeated', range: { first: 3, last: 5 } },
      { kind: 'key_reused' },
    ]);
  });

  it('remembers no key of a command that it refused', () => {
    expect(kinds({}, command([updated(1, 2)], { key }), command([stored(2)], { key }))).to.deep.equal([
      'conflict',
      'accepted',
    ]);
  });
});

describe('the locks of a group', () => {
  it('hold each subject as strongly as any of its commands needs it', () => {
    const associating = command([associated(1, 2), associated(2, 3, { version: 4 })], { requires: [numberedId(5)] });
    const { wishes, keys, leaving } = planLocks(
      [command([stored(1)], { key }), associating, command([deleted(3, 2)])].map(prepareCommand),
    );
    expect(new Map(wishes.map(({ subject, hold }) => [subject, hold]))).to.deep.equal(
      new Map([
        [numberedId(1), 'fresh'],
        [numberedId(5), 'keep'],
        [associated(1, 2).subject, 'fresh'],
        [numberedId(2), 'keep'],
        [associated(2, 3).subject, 'change'],
        [numberedId(3), 'change'],
      ]),
    );
    expect(keys).to.deep.equal(['k']);
    expect(leaving).to.deep.equal([numberedId(3)]);
  });
});
