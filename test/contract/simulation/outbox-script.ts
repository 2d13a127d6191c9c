/** Pending rows, failed attempts, dead letters and the rows of the relay, over both databases. */
import { setTimeout as pass } from 'node:timers/promises';
import { expect } from 'chai';
import type { RecordedEvent } from '../../../shared/contract/events.js';
import { RELAY_LETTERS } from '../../../shared/contract/projector-names.js';
import { commitConfig } from '../../../shared/engines/postgres/commit/commit-variables.js';
import {
  claimFailed,
  countDeadFailures,
  countFailures,
  finishDead,
} from '../../../shared/engines/postgres/commit/failed-rows.js';
import {
  claimOverdue,
  eventsOfRanges,
  finishPending,
  pendingOfSubjects,
  releasePending,
} from '../../../shared/engines/postgres/commit/pending-rows.js';
import type { Postgres } from '../../../shared/engines/postgres/connection/postgres.js';
import { createPendingBound } from '../../../shared/engines/postgres/outbox/pending-bound.js';
import { createPostgresOutbox } from '../../../shared/engines/postgres/outbox/postgres-outbox.js';
import { createPostgresOutboxReader } from '../../../shared/engines/postgres/outbox/postgres-outbox-reader.js';
import { postgresRecords } from '../../../shared/engines/postgres/records/postgres-records.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { command } from '../../support/adapters/committers.js';
import { stored, updated } from '../../support/fixtures/events.js';
import { committing, keepAlive, OTHER_OWNER, OWNER } from './commit-script.js';

/** Longer than the clock of the model needs for its next millisecond. */
const TICK_MS = 5;
const LEASE_MS = 60_000;
/** A row that waits for longer is no longer young. */
const OLD_MS = 1_100;

const at = (events: readonly RecordedEvent[], ...indexes: readonly number[]): readonly RecordedEvent[] =>
  indexes.flatMap((index) => events[index] ?? []);
const rejectedOf = (events: readonly RecordedEvent[], reason: string) =>
  new Map(events.map(({ id, position }) => [position, { id, error: new Error(reason) }]));

/** Rows that are overdue, fail, are tried again and become dead letters. */
export async function applyPending(postgres: Postgres): Promise<void> {
  const commit = committing(postgres);
  const released = await keepAlive(postgres, OWNER);
  const claim = async (owner: string, limit = 10, after = 0) => {
    await pass(TICK_MS);
    return claimOverdue(postgres, { owner, leaseMs: LEASE_MS, limit, after });
  };
  const config = { ...commitConfig({}), maxAttempts: 2, retryMinimumMs: 1, retryMaximumMs: 4 };
  const fail = async (events: readonly RecordedEvent[], isRefusing = false) =>
    countFailures(postgres, rejectedOf(events, 'refused'), { config, isRefusing });

  const { events } = await commit([
    command([stored(1), stored(2)], { fingerprint: 'one' }),
    command([stored(3)], { fingerprint: 'two' }),
    command([updated(1, 2), updated(1, 3), updated(2, 2)]),
  ]);
  expect(await claim(OTHER_OWNER), 'of a live owner').to.have.lengthOf(0);
  await releasePending(postgres, [1, 3]);
  expect(await claim(OTHER_OWNER, 1)).to.have.lengthOf(1);
  expect(await claim(OTHER_OWNER, 10, 3)).to.have.lengthOf(0);
  await fail(at(events, 0));
  await fail([{ ...at(events, 1)[0], id: at(events, 2)[0]?.id } as RecordedEvent]);
  await released();
  await claim(OTHER_OWNER, 2);
  await claim(OTHER_OWNER);
  const bound = createPendingBound({ postgres });
  for (const countLimit of [0, 2, 100]) await bound.query({ countLimit });
  await pendingOfSubjects(postgres, [String(events[0]?.subject), String(events[2]?.subject)]);
  await eventsOfRanges(postgres, [
    { first: 1, last: 2 },
    { first: 5, last: 9 },
  ]);
  await claimFailed(postgres, { owner: OTHER_OWNER, leaseMs: 1 });
  await pass(TICK_MS); // the lease has ended for both
  await claimFailed(postgres, { owner: OTHER_OWNER, leaseMs: 1 });
  await fail(at(events, 0), true);
  await pass(TICK_MS);
  await claimFailed(postgres, { owner: OTHER_OWNER, leaseMs: LEASE_MS });
  expect(await fail(at(events, 0)), 'with later events of its subject').to.have.lengthOf(3);
  await pendingOfSubjects(postgres, [String(events[0]?.subject)]);
  await countDeadFailures(postgres, rejectedOf(at(events, 0, 3), 'refused again'));
  await createPostgresOutboxReader({ postgres }).unapplied([1, 2, 3, 4, 5, 6]);
  await finishDead(
    postgres,
    at(events, 0).map(({ id }) => id),
  );
  await finishPending(postgres, at(events, 1, 2, 2));
  await finishPending(postgres, [{ position: 6, id: String(events[0]?.id) }]);
  for (const countLimit of [0, 100]) await bound.query({ countLimit });
  await eventsOfRanges(postgres, [{ first: 1, last: 9 }]);
}

/** A relay that publishes while events of some keys are pending, failed or dead. */
export async function relayEvents(postgres: Postgres): Promise<void> {
  const commit = committing(postgres);
  const outbox = createPostgresOutbox({ postgres, logger: silentLogger, leaseMs: LEASE_MS });
  const reader = createPostgresOutboxReader({ postgres });
  const { deadLetters } = postgresRecords(postgres);
  const look = async (): Promise<void> => {
    await reader.depth();
    await reader.publishedThrough();
    await outbox.applied({ limit: 2 });
    await outbox.applied({ limit: 100 });
  };
  await look();
  const leadership = await outbox.lead(new AbortController().signal);
  await leadership.confirm();
  const { events } = await commit([
    command([stored(1), stored(2), stored(3), stored(4)]),
    command([updated(1, 2), updated(2, 2)]),
  ]);
  await look();
  await finishPending(postgres, at(events, 0, 2));
  await look();
  const config = { ...commitConfig({}), maxAttempts: 1, retryMinimumMs: 1 };
  await countFailures(postgres, rejectedOf(at(events, 3), 'refused'), { config, isRefusing: true });
  await look();
  await countFailures(postgres, rejectedOf(at(events, 1), 'refused'), { config, isRefusing: false });
  await look();
  await outbox.published([...at(events, 0), { position: 3, id: String(events[0]?.id) }]);
  await pass(OLD_MS);
  await look();
  await finishPending(postgres, at(events, 3, 4));
  const [refused] = at(events, 2);
  if (!refused) throw new Error('The event is missing');
  const { id: eventId, subject, type, version, position } = refused;
  const letter = { projector: RELAY_LETTERS, eventId, subject, type, version, position };
  await deadLetters.add({ ...letter, reason: 'too large', attempts: 1, at: new Date(0).toISOString() });
  await look();
  await outbox.published(at(events, 2, 3, 4));
  await finishDead(
    postgres,
    at(events, 1).map(({ id }) => id),
  );
  await finishPending(postgres, at(events, 5));
  await outbox.published(events);
  await look();
  await leadership.resign();
  await (await outbox.lead(new AbortController().signal)).resign();
  await outbox.close();
}
