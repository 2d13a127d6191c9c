/** Reads of the journal, its identity, and the records next to it, over both databases. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { ENRICHER, VECTOR_INDEXER } from '../../../shared/contract/projector-names.js';
import type { Postgres } from '../../../shared/engines/postgres/connection/postgres.js';
import { createPostgresJournal } from '../../../shared/engines/postgres/journal/postgres-journal.js';
import { createPostgresJournalIdentity } from '../../../shared/engines/postgres/journal/postgres-journal-identity.js';
import { postgresRecords } from '../../../shared/engines/postgres/records/postgres-records.js';
import { createPostgresTopicRecords } from '../../../shared/engines/postgres/records/postgres-topic-records.js';
import { command } from '../../support/adapters/committers.js';
import { associated, deleted, numberedId, stored, updated } from '../../support/fixtures/events.js';
import { RUNNING_INDEXER } from '../../support/fixtures/projector-states.js';
import { committing } from './commit-script.js';

export async function readJournal(postgres: Postgres): Promise<void> {
  const commit = committing(postgres);
  const journal = createPostgresJournal({ postgres });
  const read = async (): Promise<void> => {
    await journal.head();
    await journal.ageAfter(0);
    await journal.ageAfter(4);
    await journal.estimateSubjects();
    await journal.read({ after: 0, limit: 3 });
    await journal.read({ after: 2, through: 4, limit: 100 });
    await journal.read({ after: 0, limit: 100, types: ['memory.updated', 'association.created'] });
    await journal.read({ after: 0, limit: 2, subject: numberedId(1) });
    await journal.read({ after: 0, limit: 100, subject: numberedId(1), afterVersion: 1, types: ['memory.updated'] });
    const first = await journal.states({ after: '', limit: 2 });
    await journal.states({ after: first.at(-1)?.subject ?? '', limit: 100 });
    const subjects = [1, 2, 9].map(numberedId);
    await journal.lastOf({ subjects, types: ['memory.stored', 'memory.updated', 'memory.deleted'] });
  };
  await read();
  await commit([command([stored(3), stored(1), stored(2), updated(1, 2)]), command([associated(1, 2)])]);
  await read();
  await commit([command([updated(1, 3), deleted(2, 2)])]);
  await read();
}

export async function keepIdentity(postgres: Postgres): Promise<void> {
  const identity = createPostgresJournalIdentity({ postgres });
  const read = async (): Promise<string> => {
    await identity.id();
    await identity.eventIdsAt([2, 1, 7]);
    return (await identity.state()).id;
  };
  await read();
  await committing(postgres)([command([stored(1), stored(2)])]);
  const id = await read();
  await identity.saveGraphMarked();
  await identity.saveGraphMarked();
  for (const from of [5, 3, 4]) await identity.saveGraphBehind(from);
  await identity.saveGraphCaughtUp(4);
  await read();
  await identity.saveGraphCaughtUp(3);
  await identity.saveLost({ position: 9, eventId: randomUUID(), journalId: null });
  await identity.saveLost({ position: 8, eventId: randomUUID(), journalId: null });
  await identity.saveRebuild({ events: 1, subjects: 2, totalSubjects: 3 });
  await read();
  await identity.saveRebuild(null);
  await identity.saveGraphBehind(6);
  await identity.beginHistory();
  expect(await read()).to.not.equal(id);
}

export async function keepLetters(postgres: Postgres): Promise<void> {
  const { deadLetters } = postgresRecords(postgres);
  const letterOf = (number: number, version: number, projector: string = VECTOR_INDEXER) => ({
    projector,
    eventId: `event-${number}-${version}`,
    subject: numberedId(number),
    type: 'memory.stored',
    version,
    position: 10 * number + version,
    reason: `reason ${version}`,
    attempts: version,
    at: new Date(version).toISOString(),
  });
  const given = [letterOf(1, 1), letterOf(1, 2), letterOf(2, 1), letterOf(1, 1, ENRICHER), letterOf(3, 1)];
  for (const letter of given) await deadLetters.add(letter);
  await deadLetters.requestRedrive([1, 3, 5, 99]);
  await deadLetters.add({ ...letterOf(1, 1), reason: 'again', attempts: 9, position: 77 });
  await deadLetters.add(letterOf(4, 1));
  await deadLetters.takeRedrives(VECTOR_INDEXER, 1);
  await deadLetters.takeRedrives(ENRICHER, 10);
  await deadLetters.takeRedrives(VECTOR_INDEXER, 10);
  await deadLetters.find(
    VECTOR_INDEXER,
    [1, 2, 9].map((number) => ({ subject: numberedId(number), version: 2 })),
  );
  await deadLetters.count();
  await deadLetters.count(ENRICHER);
  await deadLetters.resolve({ projector: VECTOR_INDEXER, subject: numberedId(1), version: 1 });
  await deadLetters.resolve({ projector: VECTOR_INDEXER, subject: numberedId(9), version: 1 });
  await deadLetters.count(VECTOR_INDEXER);
}

export async function keepProgress(postgres: Postgres): Promise<void> {
  const { projectorStates } = postgresRecords(postgres);
  await projectorStates.list();
  for (const instance of ['b', 'a', 'b']) await projectorStates.save({ ...RUNNING_INDEXER, instance, position: 3 });
  await projectorStates.list();
  await projectorStates.paused();
  const records = createPostgresTopicRecords({ postgres });
  await records.find('events');
  await records.create('events', [1n, 2n]);
  await records.create('events', [8n]);
  await records.raise('events', { generation: 1, ends: [5n, 1n] });
  await records.raise('events', { generation: 2, ends: [9n, 9n] });
  await records.renew('events', { generation: 2, ends: [9n, 9n] });
  await records.renew('events', { generation: 1, ends: [0n, 1n] });
  await records.notePartitions('events', 3);
  await records.find('events');
}

export async function keepVectors(postgres: Postgres): Promise<void> {
  const { cache } = postgresRecords(postgres);
  await committing(postgres)([command([stored(1), stored(2), stored(3)]), command([deleted(3, 2)])]);
  const entry = (ref: string, number: number, value: number) => ({
    ref,
    memoryId: numberedId(number),
    vector: Float32Array.of(value, 0.25),
  });
  await cache.put([entry('one', 1, 1), entry('two', 1, 2), entry('dead', 3, 3), entry('unknown', 9, 4)]);
  await cache.put([entry('one', 2, 5)]);
  await cache.get(['one', 'two', 'dead', 'unknown', 'none']);
  await cache.put([entry('one', 2, 6)], { replace: true });
  await cache.get(['one']);
  await cache.release([numberedId(1), numberedId(8)]);
  await cache.get(['one', 'two']);
  await cache.release([numberedId(2)]);
  await cache.get(['one']);
}
