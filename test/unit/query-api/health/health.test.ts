import { expect } from 'chai';
import { enrichmentStateOf } from '../../../../query-api/health/enrichment-state.js';
import { healthStatusOf, syncStatusOf } from '../../../../query-api/health/health.js';
import type { Observation } from '../../../../query-api/health/observe.js';
import { ENRICHER } from '../../../../shared/contract/projector-names.js';
import type { ProjectorState } from '../../../../shared/ports/journal.js';
import { NOW_TEXT } from '../recall/memories.js';

function observed(overrides: Partial<Observation> = {}): Observation {
  return {
    graphAnswers: true,
    vectorsAnswer: true,
    problems: [],
    rebuild: null,
    journalAnswers: true,
    memories: 10,
    unenriched: 10,
    vectors: 10,
    inFlight: 0,
    isQuiet: true,
    isIndexing: true,
    outbox: null,
    topic: null,
    deadLetters: 0,
    unindexed: 0,
    projectors: [],
    progress: [],
    ...overrides,
  };
}

describe('health status', () => {
  it('is healthy and synced when the counts are equal', () => {
    expect(syncStatusOf(observed())).to.equal('synced');
    expect(healthStatusOf(observed())).to.equal('healthy');
  });

  it('does not report work in flight as drift', () => {
    expect(syncStatusOf(observed({ vectors: 3, inFlight: 7, isQuiet: false }))).to.equal('synced');
    expect(syncStatusOf(observed({ vectors: 12, inFlight: 2, isQuiet: false }))).to.equal('synced');
  });

  it('reports drift when vectors are missing and nothing is in flight', () => {
    expect(syncStatusOf(observed({ vectors: 9 }))).to.equal('drift_detected');
    expect(healthStatusOf(observed({ vectors: 9 }))).to.equal('degraded');
  });

  it('reports orphaned vectors and stays healthy', () => {
    expect(syncStatusOf(observed({ vectors: 11 }))).to.equal('orphaned_vectors');
    expect(healthStatusOf(observed({ vectors: 11 }))).to.equal('healthy');
  });

  it('reports more missing vectors than events in flight as drift under load', () => {
    const emptied = { memories: 100_000, vectors: 40, inFlight: 60, isQuiet: false };
    expect(syncStatusOf(observed(emptied))).to.equal('drift_detected');
    expect(healthStatusOf(observed(emptied))).to.equal('degraded');
    expect(healthStatusOf(observed({ ...emptied, inFlight: 99_960 }))).to.equal('healthy');
  });

  it('is degraded while the graph is empty and the index has vectors', () => {
    const emptied = { memories: 0, vectors: 100_000 };
    expect(syncStatusOf(observed(emptied))).to.equal('orphaned_vectors');
    expect(healthStatusOf(observed(emptied))).to.equal('degraded');
    expect(healthStatusOf(observed({ ...emptied, inFlight: 5, isQuiet: false }))).to.equal('degraded');
  });

  it('reports an unindexed dead letter as drift, even with work in flight', () => {
    expect(syncStatusOf(observed({ unindexed: 1, isQuiet: false }))).to.equal('drift_detected');
  });

  it('is unknown without both counts', () => {
    expect(syncStatusOf(observed({ vectors: null }))).to.equal('unknown');
    expect(syncStatusOf(observed({ memories: null, unindexed: 1 }))).to.equal('unknown');
  });

  it('is degraded while an engine does not answer', () => {
    expect(healthStatusOf(observed({ graphAnswers: false, memories: null }))).to.equal('degraded');
    expect(healthStatusOf(observed({ vectorsAnswer: false, vectors: null }))).to.equal('degraded');
    expect(healthStatusOf(observed({ journalAnswers: false, isIndexing: null }))).to.equal('degraded');
  });

  it('is degraded while no indexer runs and while the outbox is delayed', () => {
    const outbox = { pending: 0, applied: 9, oldestMs: 29_999, dead: 0, oldestDeadMs: 0 };
    expect(healthStatusOf(observed({ isIndexing: false, isQuiet: false }))).to.equal('degraded');
    expect(healthStatusOf(observed({ outbox }))).to.equal('healthy');
    expect(healthStatusOf(observed({ outbox: { ...outbox, oldestMs: 30_000 } }))).to.equal('degraded');
  });

  it('is degraded while there is a problem', () => {
    expect(healthStatusOf(observed({ problems: ['Storage is full'] }))).to.equal('degraded');
  });

  it('is degraded while the commit has a dead letter', () => {
    const outbox = { pending: 0, applied: 0, oldestMs: 0, dead: 1, oldestDeadMs: 5 };
    expect(healthStatusOf(observed({ outbox }))).to.equal('degraded');
  });
});

describe('enrichment state', () => {
  const enricher = ({ detail, ...overrides }: Partial<ProjectorState> = {}): ProjectorState => ({
    name: ENRICHER,
    instance: 'one',
    position: 4,
    handled: 9,
    failed: 9,
    lastError: null,
    lastErrorAt: null,
    paused: false,
    stopped: false,
    heartbeatAt: NOW_TEXT,
    heartbeatAgeMs: 0,
    detail: { last_success_id: null, last_success_at: null, inflight: 2, successes: 3, failures: 1, ...detail },
    ...overrides,
  });

  it('is stopped without an enricher, with all memories pending', () => {
    expect(enrichmentStateOf([{ ...enricher(), name: 'vector-indexer' }], 12)).to.include({
      status: 'stopped',
      pending: 12,
      inflight: 0,
      successes: 0,
    });
  });

  it('is running with an enricher that sends heartbeats', () => {
    expect(enrichmentStateOf([enricher()], 1)).to.include({
      status: 'running',
      inflight: 2,
      successes: 3,
      failures: 1,
    });
    expect(enrichmentStateOf([enricher({ heartbeatAgeMs: 60_000 })], 1).status).to.equal('stopped');
    expect(enrichmentStateOf([enricher({ paused: true })], 1).status).to.equal('stopped');
  });

  it('sums the counters of all instances and the work in flight of live ones', () => {
    const gone = enricher({ instance: 'two', stopped: true });
    const silent = enricher({ instance: 'three', heartbeatAgeMs: 60_000 });
    expect(enrichmentStateOf([enricher(), gone, silent], 0)).to.include({
      inflight: 2,
      successes: 9,
      failures: 3,
    });
  });

  it('reports the newest error and the newest success of all instances', () => {
    const projectors = [
      enricher({
        lastError: 'first',
        lastErrorAt: '2024-06-01T00:00:00+00:00',
        detail: { last_success_id: 'new', last_success_at: '2024-06-03T00:00:00+00:00' },
      }),
      enricher({
        instance: 'two',
        lastError: 'second',
        lastErrorAt: '2024-06-02T00:00:00+00:00',
        detail: { last_success_id: 'old', last_success_at: '2024-06-02T00:00:00+00:00' },
      }),
      enricher({ instance: 'three' }),
    ];
    expect(enrichmentStateOf(projectors, 0)).to.include({
      lastError: 'second',
      lastSuccessId: 'new',
      lastSuccessAt: '2024-06-03T00:00:00+00:00',
    });
  });
});
