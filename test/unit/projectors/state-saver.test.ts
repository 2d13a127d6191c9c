import { expect } from 'chai';
import { createStateSaver, type StateSaver } from '../../../projectors/state-saver.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import type { NewProjectorState } from '../../../shared/ports/journal.js';
import { until } from '../../support/checks/until.js';

describe('state saver', () => {
  let state: NewProjectorState;
  let saved: NewProjectorState[];
  let isDown: boolean;
  let saver: StateSaver;

  function start(heartbeatMs: number): void {
    const states = {
      save: async (given: NewProjectorState) => {
        if (isDown) throw new DependencyError('journal', 'down');
        saved.push(given);
      },
    };
    saver = createStateSaver({ status: () => state, states, heartbeatMs, logger: silentLogger });
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
    };
  });
  afterEach(() => saver.stop());

  it('saves at the start and when the position changes, not between', async () => {
    start(60_000);
    await until('the first is saved', () => saved.length === 1);
    state = { ...state, position: 5 };
    await until('the second is saved', () => saved.length === 2);
    saver.saveSoon();
    state = { ...state, position: 6 };
    await until('the third is saved', () => saved.length === 3);
    expect(saved.map(({ position }) => position)).to.deep.equal([0, 5, 6]);
  });

  it('saves a heartbeat while nothing changes', async () => {
    start(10);
    await until('it was saved again', () => saved.length >= 3);
  });

  it('retries soon after a failed save', async () => {
    isDown = true;
    start(50);
    isDown = false;
    await until('it is saved', () => saved.length > 0);
  });
});
