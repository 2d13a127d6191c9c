import { expect } from 'chai';
import type { EnrichmentCommand } from '../../../../shared/contract/enrichment.js';
import type { Projector } from '../../../../projectors/projector.js';
import { DependencyError } from '../../../../shared/kernel/errors.js';
import {
  openEnrichmentGround,
  requested,
  storedAt,
  type EnrichmentGround,
} from '../../../support/enrichment-ground.js';
import { deleted, stored } from '../../../support/projectors.js';
import { rejection } from '../../../support/rejection.js';
import { memoryId } from '../../../support/vectors.js';

const { signal } = new AbortController();

describe('the enricher', () => {
  let ground: EnrichmentGround;
  let enricher: Projector;
  beforeEach(async () => {
    ground = await openEnrichmentGround();
    enricher = ground.enricher();
  });
  afterEach(() => ground.close());

  const enriched = async (number: number) => (await ground.graph.memories([memoryId(number)]))[0]?.memory.enriched;

  it('has recorded what it found, as of the version that it worked on and in answer to the event', async () => {
    const event = storedAt(1, 0, { content: 'I met with Alice today. She likes tea.' });
    await ground.hold([event]);
    await enricher.project([event], signal);
    const [command, ...others] = ground.books.of('enriched');
    expect(others).to.deep.equal([]);
    expect(command).to.deep.include({
      id: memoryId(1),
      expectedVersion: 1,
      causationId: event.id,
      summary: 'I met with Alice today.',
      derived: [],
      findings: { forced: false, temporal_links: 0, patterns_detected: [], semantic_neighbors: [] },
    });
    expect(command?.entities).to.deep.include({ people: ['Alice'] });
    expect(await enriched(1)).to.equal(true);
  });

  it('does nothing when the same events come again', async () => {
    const events = [storedAt(1, 0), storedAt(2, 1)];
    await ground.hold(events);
    await enricher.project(events, signal);
    await enricher.project(events, signal);
    expect(ground.books.of('enriched')).to.have.length(2);
  });

  it('records a batch in one call', async () => {
    const events = Array.from({ length: 20 }, (_, number) => storedAt(number + 1, number, { confidence: 0.5 }));
    await ground.hold(events);
    await enricher.project(events, signal);
    expect(ground.books.calls.map(({ length }) => length)).to.deep.equal([20]);
  });

  it('takes the newest event of a memory, and what the memory is now', async () => {
    const events = [storedAt(1, 0, { content: 'Old.' }), storedAt(1, 0, { version: 2, content: 'New.' })];
    await ground.hold(events);
    await ground.hold([storedAt(1, 0, { version: 3, content: 'Newest.' })]);
    await enricher.project(events, signal);
    expect(ground.books.calls.flat()).to.have.length(1);
    expect(ground.books.of('enriched')[0]).to.include({
      expectedVersion: 3,
      causationId: events[1]?.id,
      summary: 'Newest.',
    });
  });

  it('leaves what is gone, what stays enriched and what is a pattern alone', async () => {
    const events = [
      storedAt(1, 0),
      storedAt(2, 0, { version: 2, enriched: true }),
      storedAt(3, 0, { type: 'MetaPattern' }),
    ];
    await ground.hold([...events, deleted(1, 2)]);
    await enricher.project(events, signal);
    expect(ground.books.calls).to.deep.equal([]);
  });

  it('enriches again when it is asked to, once for each request', async () => {
    const first = storedAt(1, 0);
    await ground.hold([first]);
    await enricher.project([first], signal);
    const request = requested(1, 3);
    await ground.hold([request]);
    await enricher.project([request], signal);
    await enricher.project([first, request], signal);
    expect(ground.books.of('enriched').map(({ findings }) => findings['forced'])).to.deep.equal([false, true]);
  });

  it('leaves a memory that changes meanwhile to its newer event', async () => {
    const [before, after] = [storedAt(1, 0, { content: 'Before.' }), storedAt(1, 0, { version: 2, content: 'After.' })];
    await ground.hold([before]);
    const record = async (commands: readonly EnrichmentCommand[]) => {
      if (ground.books.calls.length === 0) await ground.hold([after]);
      return ground.books.record(commands);
    };
    const racing = ground.enricher({ record });
    await racing.project([before], signal);
    expect(await enriched(1)).to.equal(false);
    await racing.project([after], signal);
    const [{ memory } = { memory: null }] = await ground.graph.memories([memoryId(1)]);
    expect(memory).to.include({ content: 'After.', summary: 'After.', enriched: true });
  });

  it('waits until the index has a memory as it is now, and does the others meanwhile', async () => {
    const events = [storedAt(1, 0), storedAt(2, 1)];
    await ground.graphWriter.apply(events);
    await ground.index([storedAt(2, 1)]);
    const error = await rejection(enricher.project(events, signal));
    expect(error).to.be.instanceOf(DependencyError).and.include({ dependency: 'vectors' });
    expect([await enriched(1), await enriched(2)]).to.deep.equal([false, true]);
    await ground.index(events);
    await enricher.project(events, signal);
    expect(await enriched(1)).to.equal(true);
  });

  it('looks again for what the index has in a moment', async () => {
    const event = storedAt(1, 0);
    await ground.graphWriter.apply([event]);
    let looks = 0;
    const versions: EnrichmentGround['vectors']['versions'] = async (ids) => {
      if (++looks === 3) await ground.index([event]);
      return ground.vectors.versions(ids);
    };
    await ground.enricher({ vectors: { ...ground.vectors, versions }, indexWaitMs: 2_000 }).project([event], signal);
    expect(await enriched(1)).to.equal(true);
  });

  it('goes without neighbours where the indexer has given a memory up', async () => {
    const event = stored(1);
    await ground.graphWriter.apply([event]);
    const { id: eventId, subject, type, version, position } = event;
    await ground.deadLetters.add({
      projector: 'vector-indexer',
      eventId,
      subject,
      type,
      version,
      position,
      reason: 'bad',
      attempts: 2,
      at: '2024-06-01T00:00:00+00:00',
    });
    await enricher.project([event], signal);
    expect(await enriched(1)).to.equal(true);
  });

  it('stops waiting when it is told to', async () => {
    const event = storedAt(1, 0);
    await ground.graphWriter.apply([event]);
    const stop = new AbortController();
    const projecting = ground.enricher({ indexWaitMs: 60_000 }).project([event], stop.signal);
    stop.abort();
    expect(await rejection(projecting)).to.include({ name: 'AbortError' });
  });
});
