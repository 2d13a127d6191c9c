import { expect } from 'chai';
import { VECTOR_INDEXER } from '../../../shared/contract/projector-names.js';
import { fleetOf } from '../../../shared/journal/projector-fleet.js';
import type { ProjectorState } from '../../../shared/ports/journal.js';
import { RUNNING_INDEXER } from '../../support/fixtures/projector-states.js';

function state(
  instance: string,
  position: number,
  { secondsAgo = 1, ...overrides }: Partial<ProjectorState> & { readonly secondsAgo?: number } = {},
): ProjectorState {
  return {
    ...RUNNING_INDEXER,
    instance,
    position,
    heartbeatAt: '2024-06-01T12:00:00+00:00',
    heartbeatAgeMs: secondsAgo * 1_000,
    ...overrides,
  };
}

function fleet(...states: readonly ProjectorState[]) {
  const { isRunning, furthestBehind: last } = fleetOf(VECTOR_INDEXER, states);
  return { isRunning, position: last?.position ?? null };
}

describe('fleetOf', () => {
  it('returns the instance that is furthest behind', () => {
    expect(fleet(state('one', 9), state('two', 5), state('three', 7))).to.deep.equal({ isRunning: true, position: 5 });
  });

  it('includes a paused instance, which keeps its partitions', () => {
    expect(fleet(state('one', 9), state('two', 5, { paused: true }))).to.deep.equal({ isRunning: true, position: 5 });
    expect(fleet(state('two', 5, { paused: true }))).to.deep.equal({ isRunning: false, position: 5 });
  });

  it('includes a killed instance until its own takeoverMs has passed', () => {
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

  it('includes an instance that may be alive, even with a shorter takeoverMs', () => {
    expect(fleet(state('one', 9), state('silent', 5, { takeoverMs: 1_000, secondsAgo: 14 }))).to.deep.equal({
      isRunning: true,
      position: 5,
    });
    expect(fleet(state('one', 9), state('silent', 5, { takeoverMs: 1_000, secondsAgo: 15 }))).to.deep.equal({
      isRunning: true,
      position: 9,
    });
  });

  it('includes a killed instance of an earlier release, without takeoverMs, for 45 s', () => {
    expect(fleet(state('one', 9), state('killed', 5, { secondsAgo: 44 }))).to.deep.equal({
      isRunning: true,
      position: 5,
    });
    expect(fleet(state('one', 9), state('killed', 5, { secondsAgo: 45 }))).to.deep.equal({
      isRunning: true,
      position: 9,
    });
  });

  it('excludes an instance after an orderly shutdown', () => {
    expect(fleet(state('one', 9), state('ended', 5, { stopped: true }))).to.deep.equal({
      isRunning: true,
      position: 9,
    });
  });

  it('considers the instances that were alive last when none is alive', () => {
    const gone = [
      state('one', 9, { secondsAgo: 16 }),
      state('two', 7, { secondsAgo: 30 }),
      state('long ago', 3, { secondsAgo: 32 }),
    ];
    expect(fleet(...gone)).to.deep.equal({ isRunning: false, position: 7 });
    expect(fleet(state('ended', 4, { stopped: true }))).to.deep.equal({ isRunning: false, position: 4 });
  });

  it('returns null without any instance', () => {
    expect(fleet()).to.deep.equal({ isRunning: false, position: null });
    expect(fleet(state('one', 9, { name: 'enricher' }))).to.deep.equal({ isRunning: false, position: null });
  });
});
