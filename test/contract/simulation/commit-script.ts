/** Commands, deletions and earlier requests, by the functions of the committer, over both databases. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { EventMark } from '../../../shared/contract/envelope.js';
import type { NewEvent, RecordedEvent } from '../../../shared/contract/events.js';
import { createAnswerLedger } from '../../../shared/engines/postgres/commit/answer-ledger.js';
import {
  appendAndCommit,
  findCommitted,
  type GroupConditions,
  type LockedGroup,
  lockGroup,
  recordedEvents,
  writeGroup,
} from '../../../shared/engines/postgres/commit/commit-group.js';
import { findEarlier } from '../../../shared/engines/postgres/commit/earlier-requests.js';
import { eraseRest } from '../../../shared/engines/postgres/commit/erasing/erase-rest.js';
import { MOVE } from '../../../shared/engines/postgres/commit/group-statements.js';
import { createPurger } from '../../../shared/engines/postgres/commit/purger.js';
import { holdLock } from '../../../shared/engines/postgres/connection/hold-lock.js';
import type { Postgres } from '../../../shared/engines/postgres/connection/postgres.js';
import { ERASED_AT_ONCE } from '../../../shared/engines/sql/erased-at-once.js';
import { messageOf } from '../../../shared/kernel/errors.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import type { Command } from '../../../shared/ports/committer.js';
import { command, prepared, unwritable } from '../../support/adapters/committers.js';
import { until } from '../../support/checks/until.js';
import { associated, deleted, numberedId, stored, updated } from '../../support/fixtures/events.js';

export const OWNER = randomUUID();
export const OTHER_OWNER = randomUUID();

export type Commit = (
  commands: readonly Command[],
  conditions?: Partial<GroupConditions>,
) => Promise<{ readonly group: LockedGroup; readonly events: readonly RecordedEvent[] }>;

/** Commits a group as the commit point does. */
export function committing(postgres: Postgres): Commit {
  return async (commands, conditions = {}) => {
    const locked: LockedGroup[] = [];
    const positions = await postgres.transaction(async (transaction) => {
      const group = await lockGroup(transaction, commands.map(prepared));
      locked.push(group);
      const usual = { owner: OWNER, leaseMs: 60_000, answered: [], witness: null };
      await writeGroup(transaction, group, { ...usual, ...conditions });
      return appendAndCommit(transaction, group);
    });
    const [group] = locked;
    if (!group) throw new Error('The group was not locked');
    return { group, events: recordedEvents(group.accepted, positions) };
  };
}

/** Holds the lock that shows that an owner is alive. */
export async function keepAlive(postgres: Postgres, owner: string): Promise<() => Promise<void>> {
  const acquire = 'SELECT true AS held FROM pg_advisory_lock(hashtextextended($1, 0))';
  const held = await holdLock(postgres, { acquire, params: [owner], leaseMs: 60_000 });
  return async () => held?.release();
}

export const markOf = ({ id, position }: RecordedEvent): EventMark => ({ eventId: id, position });

const KEY = { key: 'a'.repeat(64), requestHash: 'hash' };
const vectorOf = (number: number) => ({
  ref: `ref-${number}`,
  memoryId: numberedId(number),
  vector: Float32Array.of(number, 0.5),
});

/** Groups that are accepted, and each way in which a command or a group is refused. */
export async function commitGroups(postgres: Postgres): Promise<void> {
  const commit = committing(postgres);
  const first = command([stored(1), stored(2)], { key: KEY, fingerprint: 'one', vectors: [vectorOf(1), vectorOf(2)] });
  const { group, events } = await commit([first, command([stored(3)], { fingerprint: 'two' })]);
  await commit([command([associated(1, 2)]), command([updated(3, 2), updated(3, 3)])], { answered: [first.id] });
  const refused = [
    command([stored(4)], { key: KEY }),
    command([stored(5)], { key: { ...KEY, requestHash: 'other' } }),
    command([updated(1, 7)]),
    command([associated(1, 9)]),
    command([updated(8, 2)]),
  ];
  expect((await commit(refused)).events).to.have.lengthOf(0);
  const [known] = events;
  if (!known) throw new Error('No event was committed');
  await commit([command([stored(10)])], { witness: markOf(known) });
  const lost = { position: known.position, eventId: randomUUID() };
  await expectRefusal(commit([command([stored(11)])], { witness: lost }));
  await expectRefusal(commit([command([unwritable(12)])]));
  await commit([command([stored(12), stored(11)])]);
  const earlier = { subject: numberedId(3), version: 1, revision: 1, present: true };
  await postgres.query(MOVE, [JSON.stringify([earlier]), [earlier.subject], '[]', [], []]); // changes nothing
  await postgres.transaction((transaction) => findCommitted(transaction, group));
  const unknown = { ...group, accepted: [prepared(command([stored(99)]))] };
  expect(await postgres.transaction((transaction) => findCommitted(transaction, unknown))).to.equal(null);
}

/** The comparison of both databases throws another error. */
async function expectRefusal(committed: Promise<unknown>): Promise<void> {
  const error = await committed.then(
    () => 'no error',
    (reason: unknown) => messageOf(reason),
  );
  expect(error).to.match(/went back|not-null/u);
}

/** Requests that are found again, forgotten, abandoned and purged. */
export async function findRequests(postgres: Postgres): Promise<void> {
  const commit = committing(postgres);
  const commands = ['one', 'two', 'three'].map((fingerprint, index) =>
    command([stored(index + 1)], { key: { ...KEY, key: fingerprint.repeat(4) }, fingerprint }),
  );
  const [one, two] = commands;
  await commit(commands);
  const find = (fingerprint: string, owner = OWNER) =>
    findEarlier(postgres, { key: null, fingerprint, owner, isAbandoned: () => false });
  const release = await keepAlive(postgres, OWNER);
  await find('one');
  expect(await find('one', OTHER_OWNER), 'while its owner is alive').to.equal(null);
  await release();
  await until('the owner is gone', async () => (await find('one', OTHER_OWNER)) !== null);
  await findEarlier(postgres, {
    key: { ...KEY, key: 'oneoneoneone' },
    fingerprint: null,
    owner: OWNER,
    isAbandoned: () => false,
  });
  const ledger = createAnswerLedger({ postgres, logger: silentLogger });
  ledger.answered(String(one?.id));
  await ledger.abandon([String(two?.id)]);
  await ledger.flush();
  for (const fingerprint of ['one', 'two', 'three', 'none']) await find(fingerprint);
  for (const ms of [61_000, 24 * 60 * 60 * 1_000]) {
    const older = `SET at = at - interval '${ms} milliseconds'`;
    await postgres.query(`UPDATE command_keys ${older}; UPDATE unanswered ${older}`);
    await find('three');
    await commit([command([stored(20)], { key: { ...KEY, key: 'twotwotwotwo' } })]);
    await purge(postgres);
  }
}

async function purge(postgres: Postgres): Promise<void> {
  let purges = 0;
  const counted: Postgres = {
    ...postgres,
    query: async (statement, params) => {
      const result = await postgres.query(statement, params);
      purges += 1;
      return result as never;
    },
  };
  const purger = createPurger({ postgres: counted, logger: silentLogger });
  await until('both tables are purged', () => purges >= 2);
  await purger.close();
}

/** Written in this order, so that a LIMIT without an order takes the same associations of a table and of its index. */
const TYPES = ['CONTRADICTS', 'EXEMPLIFIES', 'LEADS_TO', 'OCCURRED_BEFORE', 'PREFERS_OVER', 'RELATES_TO'] as const;

/** Deletes a memory with so many associations that batches erase them, and one that returns meanwhile. */
export async function eraseMemories(postgres: Postgres): Promise<void> {
  const commit = committing(postgres);
  const others = Array.from({ length: Math.ceil((2.2 * ERASED_AT_ONCE) / TYPES.length) }, (_, index) => index + 2);
  const vectors = [1, 2, 3].map(vectorOf);
  await commit([
    command([stored(1), ...others.map((number) => stored(number))], { vectors }),
    command(TYPES.flatMap((type) => others.map((number) => associated(1, number, { type })))),
  ]);
  await commit([command([associated(2, 3), updated(3, 2)])]);
  await commit([command([deleted(3, 3)]), command([updated(4, 2)], { erases: [numberedId(4)] })]);
  await commit([command([deleted(1, 2)])]);
  // It returns with one of its associations, which the batches leave alone.
  const returned = { ...stored(1), id: randomUUID(), version: 3, revision: 3 } as NewEvent;
  await commit([command([returned, associated(1, others.at(-1) ?? 0, { type: 'RELATES_TO', version: 2 })])]);
  let batches = 0;
  while (await eraseRest(postgres)) batches += 1;
  expect(batches).to.be.greaterThan(1);
}
