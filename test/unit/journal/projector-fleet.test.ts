import { expect } from 'chai';
import type { ProjectorState } from '../../../shared/journal/journal.js';
import { VECTOR_INDEXER } from '../../../shared/contract/projector-names.js';
import { fleetOf } from '../../../shared/journal/projector-fleet.js';

const NOW = new Date('2024-06-01T12:00:00Z');

function state(
  instance: string,
  position: number,
  { secondsAgo = 1, ...overrides }: Partial<ProjectorState> & { readonly secondsAgo?: number } = {},
): ProjectorState {
  return {
    name: VECTOR_INDEXER,
    instance,
    position,
    handled: 0,
    failed: 0,
    lastError: null,
    lastErrorAt: null,
    paused: false,
    stopped: false,
    heartbeatAt: new Date(NOW.getTime() - secondsAgo * 1_000).toISOString(),
    ...overrides,
  };
}

function fleet(...states: readonly ProjectorState[]) {
  const { isRunning, last } = fleetOf(VECTOR_INDEXER, states, NOW);
  return { isRunning, position: last?.position ?? null };
}

describe('the instances of a projector together', () => {
  it('are as far as the one furthest behind', () => {
    expect(fleet(state('one', 9), state('two', 5), state('three', 7))).to.deep.equal({ isRunning: true, position: 5 });
  });

  it('are as far as a paused one, which keeps its share', () => {
    expect(fleet(state('one', 9), state('two', 5, { paused: true }))).to.deep.equal({ isRunning: true, position: 5 });
    expect(fleet(state('two', 5, { paused: true }))).to.deep.equal({ isRunning: false, position: 5 });
  });

  it("wait for a killed one as long as its share may be nobody else's, which it said itself", () => {
    for (const seconds of [20, 65]) {
      const killed = { takeoverMs: seconds * 1_000 };
      expect(fleet(state('one', 9), state('killed', 5, { ...killed, secondsAgo: seconds - 1 }))).to.deep.equal({
        isRunning: true,
        position: 5,
      });
      expect(fleet(state('one', 9), state('killed', 5, { ...killed, secondsAgo: seconds }))).to.deep.equal({
        isRunning: true,
        position: 9,
      });
    }
  });

  it('wait for one that may still be alive, however soon another could have its share', () => {
    expect(fleet(state('one', 9), state('silent', 5, { takeoverMs: 1_000, secondsAgo: 14 }))).to.deep.equal({
      isRunning: true,
      position: 5,
    });
    expect(fleet(state('one', 9), state('silent', 5, { takeoverMs: 1_000, secondsAgo: 15 }))).to.deep.equal({
      isRunning: true,
      position: 9,
    });
  });

  it('wait 45 s for a killed one of an earlier release, which did not say', () => {
    expect(fleet(state('one', 9), state('killed', 5, { secondsAgo: 44 }))).to.deep.equal({
      isRunning: true,
      position: 5,
    });
    expect(fleet(state('one', 9), state('killed', 5, { secondsAgo: 45 }))).to.deep.equal({
      isRunning: true,
      position: 9,
    });
  });

  it('do not wait for one that ended in order', () => {
    expect(fleet(state('one', 9), state('ended', 5, { stopped: true }))).to.deep.equal({
      isRunning: true,
      position: 9,
    });
  });

  it('are, once none is alive, where those stopped that were alive together last', () => {
    const gone = [
      state('one', 9, { secondsAgo: 16 }),
      state('two', 7, { secondsAgo: 30 }),
      state('long ago', 3, { secondsAgo: 32 }),
    ];
    expect(fleet(...gone)).to.deep.equal({ isRunning: false, position: 7 });
    expect(fleet(state('ended', 4, { stopped: true }))).to.deep.equal({ isRunning: false, position: 4 });
  });

  it('are nowhere when there never was one', () => {
    expect(fleet()).to.deep.equal({ isRunning: false, position: null });
    expect(fleet(state('one', 9, { name: 'enricher' }))).to.deep.equal({ isRunning: false, position: null });
  });
});
