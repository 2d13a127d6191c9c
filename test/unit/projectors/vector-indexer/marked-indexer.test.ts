import { expect } from 'chai';
import { createMarkedIndexer, INDEX_MARK_MS } from '../../../../projectors/vector-indexer/marked-indexer.js';
import { createVectorIndexer, type VectorIndexer } from '../../../../projectors/vector-indexer/vector-indexer.js';
import type { RecordedEvent } from '../../../../shared/contract/events.js';
import { DependencyError } from '../../../../shared/kernel/errors.js';
import { openProjections, type Projections } from '../../../support/adapters/projections.js';
import { createWordHashEmbedder } from '../../../support/adapters/word-hash-embedder.js';
import { stored } from '../../../support/fixtures/projector-events.js';

const OTHER_JOURNAL = { journalId: '11111111-1111-4111-8111-111111111111', position: 7, eventId: 'other' };
const signal = new AbortController().signal;

describe('marked indexer', () => {
  let projections: Projections;
  let indexer: VectorIndexer;
  let marked: VectorIndexer;
  let events: readonly RecordedEvent[];
  let time: number;

  beforeEach(async () => {
    time = 5_000;
    projections = await openProjections({ dimension: 16 });
    indexer = createVectorIndexer({ embedder: createWordHashEmbedder(16), ...projections });
    marked = createMarkedIndexer({ indexer, marks: projections.indexMarks, now: () => time });
    await projections.append([stored(1), stored(2), stored(3)]);
    events = await projections.journal.read({ after: 0, limit: 10 });
  });
  afterEach(() => projections.close());

  const project = (...numbers: readonly number[]) =>
    marked.project(
      numbers.flatMap((number) => events[number - 1] ?? []),
      signal,
    );
  const mark = () => projections.indexMarks.index.read();
  const count = () => projections.vectors.count({ excludedTypes: [] });

  it('marks the index with the last event of the first batch', async () => {
    expect(await mark()).to.equal(null);
    await project(2, 1);
    const { id } = await projections.indexMarks.journal.state();
    expect(await mark()).to.deep.equal({ journalId: id, position: events[1]?.position, eventId: events[1]?.id });
  });

  it('moves the mark at most once a second', async () => {
    await project(1);
    time += INDEX_MARK_MS - 1;
    await project(2);
    expect(await mark()).to.include({ position: events[0]?.position });
    time += 1;
    await project(3);
    expect(await mark()).to.include({ position: events[2]?.position });
  });

  it('leaves the mark where it is when a batch fails', async () => {
    const failing = { ...indexer, project: () => Promise.reject(new DependencyError('embedding', 'down')) };
    marked = createMarkedIndexer({ indexer: failing, marks: projections.indexMarks });
    expect(await rejectionOf(project(1))).to.have.property('message', 'down');
    expect(await mark()).to.equal(null);
  });

  it('writes nothing to an index of another journal', async () => {
    let isReplaced = true;
    const index = {
      ...projections.indexMarks.index,
      read: async () => (isReplaced ? OTHER_JOURNAL : mark()),
    };
    marked = createMarkedIndexer({ indexer, marks: { ...projections.indexMarks, index }, now: () => time });
    const error = await rejectionOf(project(1));
    expect(error).to.be.instanceOf(DependencyError).with.property('isRetryable', true);
    expect(error).to.have.property('message').that.contains('The vector index belongs to journal 11111111-');
    expect([await count(), await mark()]).to.deep.equal([0, null]);
    isReplaced = false;
    await project(1);
    expect(await count()).to.equal(1);
  });

  it('writes nothing once the index is replaced while the indexer runs', async () => {
    let isReplaced = false;
    const index = { ...projections.indexMarks.index, read: async () => (isReplaced ? OTHER_JOURNAL : mark()) };
    marked = createMarkedIndexer({ indexer, marks: { ...projections.indexMarks, index }, now: () => time });
    await project(1);
    isReplaced = true;
    time += INDEX_MARK_MS;
    expect(await rejectionOf(project(2))).to.be.instanceOf(DependencyError);
    expect(await count()).to.equal(1);
  });

  it('writes nothing after the journal went back', async () => {
    const { id } = await projections.indexMarks.journal.state();
    await projections.indexMarks.index.advance({ journalId: id, position: 1_000, eventId: 'lost' });
    expect(await rejectionOf(project(1)))
      .to.have.property('message')
      .that.contains('The journal went back in time: event lost was committed at position 1000');
    expect(await count()).to.equal(0);
  });
});

async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'resolved',
    (error: unknown) => error,
  );
}
