import { expect } from 'chai';
import { createIndexerWatch } from '../../../command-api/vector-wait.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import type { ProjectorState } from '../../../shared/ports/journal.js';

/** The last heartbeat of each instance was 2 s ago. */
const HEARTBEAT_AGE_MS = 2_000;

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
    heartbeatAt: '2024-06-01T12:00:10+00:00',
    heartbeatAgeMs: HEARTBEAT_AGE_MS,
    ...overrides,
  };
}

/** `head`: the position of the only event after position 5; it is 12 s old. */
function watch(states: () => Promise<readonly ProjectorState[]>, head = 5) {
  return createIndexerWatch({
    states: { list: states },
    journal: { ageAfter: (position) => Promise.resolve(position < head ? 12_000 : null) },
    logger: silentLogger,
  });
}

describe('createIndexerWatch', () => {
  it('reports no lag for an indexer that has read everything', async () => {
    expect(await watch(() => Promise.resolve([state()]))()).to.equal(0);
  });

  it('reports the age of the next event at the last heartbeat', async () => {
    expect(await watch(() => Promise.resolve([state()]), 6)()).to.equal(10_000);
    expect(await watch(() => Promise.resolve([state({ position: 6 })]), 6)()).to.equal(0);
  });

  it('reports the lag of the slowest instance', async () => {
    const states = [state({ position: 6 }), state({ instance: 'two', position: 5 })];

    expect(await watch(() => Promise.resolve(states), 6)()).to.equal(10_000);
    expect(
      await watch(
        () => Promise.resolve([states[0] ?? state(), state({ instance: 'two', position: 5, stopped: true })]),
        6,
      )(),
    ).to.equal(0);
  });

  it('reports no indexer when it is silent, paused or unknown', async () => {
    const silent = { heartbeatAgeMs: 20_000 };
    for (const other of [silent, { paused: true }, { name: 'access-recorder' }]) {
      expect(await watch(() => Promise.resolve([state(other)]))()).to.equal(null);
    }
    expect(await watch(() => Promise.reject(new DependencyError('journal', 'down')))()).to.equal(null);
  });

  it('reads the state once for many requests', async () => {
    let reads = 0;
    const indexer = watch(() => {
      reads += 1;
      return Promise.resolve([state()]);
    });

    await Promise.all([indexer(), indexer(), indexer()]);

    expect(reads).to.equal(1);
  });
});
