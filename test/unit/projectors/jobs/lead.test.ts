/** Two processes with one schedule: one leads, and the other takes over when it closes. */
import { expect } from 'chai';
import { createLocalMaintenanceLock } from '../../../../deploy/embedded/local-maintenance-lock.js';
import { startLeader } from '../../../../projectors/jobs/lead.js';
import { CONSOLIDATOR } from '../../../../shared/contract/projector-names.js';
import { aborted } from '../../../../shared/kernel/concurrency/abort-signals.js';
import { silentLogger } from '../../../../shared/kernel/logger.js';
import type { NewProjectorState } from '../../../../shared/ports/journal.js';
import { until } from '../../../support/checks/until.js';

describe('startLeader', () => {
  it('runs the step in one process, and in the next one after a close', async () => {
    const lock = createLocalMaintenanceLock();
    const saved: NewProjectorState[] = [];
    const start = (process: string) =>
      startLeader({
        name: CONSOLIDATOR,
        step: (save) => save({ process }),
        failure: 'the step failed',
        pollMs: 1,
        failedMaximumMs: 1,
        lock,
        states: { save: async (state) => void saved.push(state) },
        logger: silentLogger,
      });
    const savedBy = (process: string) => saved.filter(({ detail }) => detail?.['process'] === process).length;

    const first = start('first');
    const second = start('second');
    await until('the first one has run five steps', () => savedBy('first') >= 5);
    expect(savedBy('second')).to.equal(0);
    expect(saved[0]).to.include({ name: CONSOLIDATOR, instance: 'leader' });

    await first.close();
    const last = savedBy('first');
    await until('the second one has run five steps', () => savedBy('second') >= 5);
    expect(savedBy('first')).to.equal(last);
    await second.close();
    expect(await lock.take(CONSOLIDATOR)).not.to.equal(null);
  });

  it('ends the step of a process that loses the lead', async () => {
    const lost = new AbortController();
    const given = [{ lost: lost.signal, release: async () => undefined }, null];
    const outcomes: string[] = [];
    const leader = startLeader({
      name: CONSOLIDATOR,
      step: async (_, signal) => {
        outcomes.push('begun');
        await aborted(signal);
        outcomes.push('ended');
      },
      failure: 'the step failed',
      pollMs: 1,
      failedMaximumMs: 1,
      lock: { take: async () => given.shift() ?? null },
      states: { save: async () => undefined },
      logger: silentLogger,
    });
    await until('the step runs', () => outcomes.length === 1);
    lost.abort();
    await until('the step has ended', () => outcomes.length === 2);
    await leader.close();
    expect(outcomes).to.deep.equal(['begun', 'ended']);
  });
});
