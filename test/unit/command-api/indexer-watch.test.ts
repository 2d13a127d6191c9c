import { expect } from 'chai';
import { createIndexerWatch } from '../../../command-api/indexer-watch.js';
import { decideStore } from '../../../command-api/memories/decide-store.js';
import type { RecordedEvent } from '../../../shared/contract/events.js';
import type { ProjectorState } from '../../../shared/journal/journal.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { draft, facts, memoryId, reading, recorded } from './fixtures.js';

const HEARTBEAT = '2024-06-01T12:00:10.000Z';

function state(overrides: Partial<ProjectorState> = {}): ProjectorState {
  return {
    name: 'vector-indexer',
    instance: 'one',
    position: 5,
    handled: 5,
    failed: 0,
    lastError: null,
    lastErrorAt: null,
    paused: false,
    stopped: false,
    heartbeatAt: HEARTBEAT,
    ...overrides,
  };
}

function watch(states: () => Promise<readonly ProjectorState[]>, journal: readonly RecordedEvent[] = []) {
  return createIndexerWatch({
    states: { list: states },
    journal: { read: ({ after }) => Promise.resolve(journal.filter(({ position }) => position > after).slice(0, 1)) },
    clock: { now: () => new Date('2024-06-01T12:00:12Z') },
    logger: silentLogger,
  });
}

describe('createIndexerWatch', () => {
  it('reports no lag for an indexer that has read everything', async () => {
    expect(await watch(() => Promise.resolve([state()]))()).to.equal(0);
  });

  it('reports the age of the next event at the last heartbeat', async () => {
    const { events } = decideStore(reading(), draft(), { ...facts(), memoryIds: [memoryId(1)] });
    const journal = [recorded(events[0], 6)];

    expect(await watch(() => Promise.resolve([state()]), journal)()).to.equal(10_000);
    expect(await watch(() => Promise.resolve([state({ position: 6 })]), journal)()).to.equal(0);
  });

  it('reports the lag of the slowest instance', async () => {
    const { events } = decideStore(reading(), draft(), { ...facts(), memoryIds: [memoryId(1)] });
    const journal = [recorded(events[0], 6)];
    const states = [state({ position: 6 }), state({ instance: 'two', position: 5 })];

    expect(await watch(() => Promise.resolve(states), journal)()).to.equal(10_000);
    expect(
      await watch(
        () => Promise.resolve([states[0] ?? state(), state({ instance: 'two', position: 5, stopped: true })]),
        journal,
      )(),
    ).to.equal(0);
  });

  it('reports no indexer when it is silent, paused or unknown', async () => {
    const silent = { heartbeatAt: '2024-06-01T11:59:50Z' };
    for (const other of [silent, { paused: true }, { name: 'access-recorder' }]) {
      expect(await watch(() => Promise.resolve([state(other)]))()).to.equal(null);
    }
    expect(await watch(() => Promise.reject(new DependencyError('journal', 'down')))()).to.equal(null);
  });

  it('reads the state once for many requests', async () => {
    let looks = 0;
    const indexer = watch(() => {
      looks += 1;
      return Promise.resolve([state()]);
    });

    await Promise.all([indexer(), indexer(), indexer()]);

    expect(looks).to.equal(1);
  });
});
