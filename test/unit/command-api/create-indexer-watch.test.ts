import { expect } from 'chai';
import { createIndexerWatch } from '../../../command-api/create-indexer-watch.js';
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

describe('the watch over the vector indexer', () => {
  it('finds an indexer that has read everything not behind', async () => {
    expect(await watch(() => Promise.resolve([state()]))()).to.equal(0);
  });

  it('says how old the next event was at the last sign of life', async () => {
    const { events } = decideStore(reading(), draft(), { ...facts(), memoryIds: [memoryId(1)] });
    const journal = [recorded(events[0], 6)];

    expect(await watch(() => Promise.resolve([state()]), journal)()).to.equal(10_000);
    expect(await watch(() => Promise.resolve([state({ position: 6 })]), journal)()).to.equal(0);
  });

  it('asks the instance furthest behind, as each has its own share', async () => {
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

  it('knows none that runs when it is silent, paused, another or unknown', async () => {
    const silent = { heartbeatAt: '2024-06-01T11:59:50Z' };
    for (const other of [silent, { paused: true }, { name: 'access-recorder' }]) {
      expect(await watch(() => Promise.resolve([state(other)]))()).to.equal(null);
    }
    expect(await watch(() => Promise.reject(new DependencyError('journal', 'down')))()).to.equal(null);
  });

  it('looks once for many requests', async () => {
    let looks = 0;
    const indexer = watch(() => {
      looks += 1;
      return Promise.resolve([state()]);
    });

    await Promise.all([indexer(), indexer(), indexer()]);

    expect(looks).to.equal(1);
  });
});
