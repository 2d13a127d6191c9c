import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { Projector } from '../../../../projectors/projector.js';
import type { EnrichmentCommand, RecordEnrichments } from '../../../../shared/contract/enrichment.js';
import { DependencyError } from '../../../../shared/kernel/errors.js';
import { silentLogger } from '../../../../shared/kernel/logger.js';
import {
  type EnrichmentTestDeployment,
  openEnrichmentTestDeployment,
  requested,
  storedAt,
} from '../../../support/adapters/enrichment-test-deployment.js';
import { rejection } from '../../../support/checks/rejection.js';
import { until } from '../../../support/checks/until.js';
import { countedTurns } from '../../../support/fixtures/counted-turns.js';
import { memoryId } from '../../../support/fixtures/memories.js';
import { deleted, stored } from '../../../support/fixtures/projector-events.js';

const { signal } = new AbortController();
const CALL_MS = 200;

describe('enricher', () => {
  let deployment: EnrichmentTestDeployment;
  let enricher: Projector;
  beforeEach(async () => {
    deployment = await openEnrichmentTestDeployment();
    enricher = deployment.enricher();
  });
  afterEach(() => deployment.close());

  const enriched = async (number: number) => (await deployment.graph.memories([memoryId(number)]))[0]?.memory.enriched;

  it('records its result with the version that it read and the event as cause', async () => {
    const event = storedAt(1, 0, { content: 'I met with Alice today. She likes tea.' });
    await deployment.apply([event]);
    await enricher.project([event], signal);
    const [command, ...others] = deployment.recorder.of('enriched');
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
    await deployment.apply(events);
    await enricher.project(events, signal);
    await enricher.project(events, signal);
    expect(deployment.recorder.of('enriched')).to.have.length(2);
  });

  it('records a batch in few calls', async () => {
    const events = Array.from({ length: 20 }, (_, number) => storedAt(number + 1, number, { confidence: 0.5 }));
    await deployment.apply(events);
    await enricher.project(events, signal);
    const sizes = deployment.recorder.calls.map(({ length }) => length);
    expect(sizes.sort((a, b) => a - b)).to.deep.equal([8, 12]);
  });

  it('pauses between the calls of a backlog while callers wait', async () => {
    const events = Array.from({ length: 40 }, (_, number) => storedAt(number + 1, number, { confidence: 0.5 }));
    await deployment.apply(events);
    const slow: RecordEnrichments = async (commands) => {
      await pause(CALL_MS);
      return deployment.recorder.record(commands);
    };
    const startedAt = performance.now();
    await deployment.enricher({ record: slow, areCallersWaiting: () => true }).project(events, signal);
    // Four calls, two at a time, each followed by a pause of at least its own time.
    expect(performance.now() - startedAt).to.be.at.least(4 * CALL_MS * 0.95);
  });

  it('gives way to the callers of other tenants before each slice of a backlog', async () => {
    const events = Array.from({ length: 40 }, (_, number) => storedAt(number + 1, number, { confidence: 0.5 }));
    await deployment.apply(events);
    const giveWay = countedTurns();
    await deployment.enricher({ giveWay }).project(events, signal);
    expect(giveWay.turns()).to.equal(4);
  });

  it('enriches a memory that is written alone before the backlog ends', async () => {
    const backlog = Array.from({ length: 20 }, (_, number) => ({
      ...storedAt(number + 1, number, { confidence: 0.5 }),
      position: number + 1,
    }));
    const alone = { ...storedAt(100, 0, { confidence: 0.5 }), position: 100, correlationId: 'alone' };
    await deployment.apply([...backlog, alone]);
    const record: RecordEnrichments = async (commands) => {
      if (commands.every(({ id }) => id !== memoryId(100)))
        await until('the later memory is enriched', async () => (await enriched(100)) === true);
      return deployment.recorder.record(commands);
    };
    const journal = { read: async ({ after }: { readonly after: number }) => (after < 100 ? [alone] : []) };
    const ahead = deployment.enricher({ record, ahead: { journal, logger: silentLogger } });
    await ahead.project(backlog, signal);
    await ahead.project([alone], signal);
    const times = deployment.recorder.of('enriched').filter(({ id }) => id === memoryId(100));
    expect(times, 'its own event enriches it no second time').to.have.length(1);
    expect(await enriched(20)).to.equal(true);
  });

  it('takes the newest event of a memory and its present content', async () => {
    const events = [storedAt(1, 0, { content: 'Old.' }), storedAt(1, 0, { version: 2, content: 'New.' })];
    await deployment.apply(events);
    await deployment.apply([storedAt(1, 0, { version: 3, content: 'Newest.' })]);
    await enricher.project(events, signal);
    expect(deployment.recorder.calls.flat()).to.have.length(1);
    expect(deployment.recorder.of('enriched')[0]).to.include({
      expectedVersion: 3,
      causationId: events[1]?.id,
      summary: 'Newest.',
    });
  });

  it('ignores deleted memories, enriched memories and patterns', async () => {
    const events = [
      storedAt(1, 0),
      storedAt(2, 0, { version: 2, enriched: true }),
      storedAt(3, 0, { type: 'MetaPattern' }),
    ];
    await deployment.apply([...events, deleted(1, 2)]);
    await enricher.project(events, signal);
    expect(deployment.recorder.calls).to.deep.equal([]);
  });

  it('enriches again on request, once for each request', async () => {
    const first = storedAt(1, 0);
    await deployment.apply([first]);
    await enricher.project([first], signal);
    const request = requested(1, 3);
    await deployment.apply([request]);
    await enricher.project([request], signal);
    await enricher.project([first, request], signal);
    expect(deployment.recorder.of('enriched').map(({ findings }) => findings['forced'])).to.deep.equal([false, true]);
  });

  it('leaves a memory that changes during the attempt to its newer event', async () => {
    const [before, after] = [storedAt(1, 0, { content: 'Before.' }), storedAt(1, 0, { version: 2, content: 'After.' })];
    await deployment.apply([before]);
    const record = async (commands: readonly EnrichmentCommand[]) => {
      if (deployment.recorder.calls.length === 0) await deployment.apply([after]);
      return deployment.recorder.record(commands);
    };
    const racing = deployment.enricher({ record });
    await racing.project([before], signal);
    expect(await enriched(1)).to.equal(false);
    await racing.project([after], signal);
    const [{ memory } = { memory: null }] = await deployment.graph.memories([memoryId(1)]);
    expect(memory).to.include({ content: 'After.', summary: 'After.', enriched: true });
  });

  it('waits for the present version in the index and enriches other memories', async () => {
    const events = [storedAt(1, 0), storedAt(2, 1)];
    await deployment.graphWriter.apply(events);
    await deployment.index([storedAt(2, 1)]);
    const error = await rejection(enricher.project(events, signal));
    expect(error).to.be.instanceOf(DependencyError).and.include({ dependency: 'vectors' });
    expect([await enriched(1), await enriched(2)]).to.deep.equal([false, true]);
    await deployment.index(events);
    await enricher.project(events, signal);
    expect(await enriched(1)).to.equal(true);
  });

  it('polls the index until it has the memory', async () => {
    const event = storedAt(1, 0);
    await deployment.graphWriter.apply([event]);
    let reads = 0;
    const versions: EnrichmentTestDeployment['vectors']['versions'] = async (ids) => {
      if (++reads === 3) await deployment.index([event]);
      return deployment.vectors.versions(ids);
    };
    await deployment
      .enricher({ vectors: { ...deployment.vectors, versions }, indexWaitMs: 2_000 })
      .project([event], signal);
    expect(await enriched(1)).to.equal(true);
  });

  it('enriches without neighbours when the vector indexer has a dead letter', async () => {
    const event = stored(1);
    await deployment.graphWriter.apply([event]);
    const { id: eventId, subject, type, version, position } = event;
    await deployment.deadLetters.add({
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

  it('stops waiting when its signal is aborted', async () => {
    const event = storedAt(1, 0);
    await deployment.graphWriter.apply([event]);
    const stop = new AbortController();
    const projecting = deployment.enricher({ indexWaitMs: 60_000 }).project([event], stop.signal);
    stop.abort();
    expect(await rejection(projecting)).to.include({ name: 'AbortError' });
  });
});
