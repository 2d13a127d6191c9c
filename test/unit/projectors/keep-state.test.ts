import { expect } from 'chai';
import { keepState, type StateKeeper } from '../../../projectors/keep-state.js';
import type { ProjectorState } from '../../../shared/journal/journal.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { until } from '../../support/until.js';

describe('the kept state of a projector', () => {
  let state: ProjectorState;
  let saved: ProjectorState[];
  let isDown: boolean;
  let keeper: StateKeeper;

  function keep(signOfLifeMs: number): void {
    const states = {
      save: async (given: ProjectorState) => {
        if (isDown) throw new DependencyError('journal', 'down');
        saved.push(given);
      },
    };
    keeper = keepState({ status: () => state, states, signOfLifeMs, logger: silentLogger });
  }

  beforeEach(() => {
    saved = [];
    isDown = false;
    state = {
      name: 'recording',
      instance: 'test',
      position: 0,
      handled: 0,
      failed: 0,
      lastError: null,
      lastErrorAt: null,
      paused: false,
      stopped: false,
      heartbeatAt: '2024-06-01T00:00:00+00:00',
    };
  });
  afterEach(() => keeper.stop());

  it('is saved at once, when a position moves on by itself, and not while nothing is new', async () => {
    keep(60_000);
    await until('the first is saved', () => saved.length === 1);
    state = { ...state, position: 5 };
    await until('the second is saved', () => saved.length === 2);
    keeper.soon();
    state = { ...state, position: 6 };
    await until('the third is saved', () => saved.length === 3);
    expect(saved.map(({ position }) => position)).to.deep.equal([0, 5, 6]);
  });

  it('is a sign of life while nothing is new', async () => {
    keep(10);
    await until('it was saved again', () => saved.length >= 3);
  });

  it('is saved again soon after it could not be', async () => {
    isDown = true;
    keep(50);
    isDown = false;
    await until('it is saved', () => saved.length > 0);
  });
});
