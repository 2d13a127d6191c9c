import { expect } from 'chai';
import { dueTasks } from '../../../../../projectors/jobs/consolidator/consolidator.js';
import { nextRun } from '../../../../../query-api/consolidation/consolidation-status.js';

const NOW = '2026-06-01T12:00:00+00:00';
const HOUR_MS = 3_600_000;
const INTERVALS = { decay: 24 * HOUR_MS, creative: 48 * HOUR_MS, cluster: 48 * HOUR_MS, identity: 0, forget: 0 };

describe('the schedule of consolidation', () => {
  it('has the tasks whose interval has passed', () => {
    const lastRuns = new Map([
      ['cluster', '2026-05-30T12:00:00+00:00'],
      ['decay', '2026-05-31T12:00:00+00:00'],
      ['creative', '2026-05-31T12:00:00+00:00'],
      ['forget', '2020-01-01T00:00:00+00:00'],
    ] as const);
    expect(dueTasks(lastRuns, NOW, INTERVALS)).to.deep.equal(['decay', 'cluster']);
    expect(dueTasks(new Map(), NOW, INTERVALS), 'without a first time').to.deep.equal([]);
  });

  it('says when a task runs next', () => {
    const next = (lastRun: string | undefined, hours: number) => nextRun(lastRun, hours * HOUR_MS, Date.parse(NOW));
    expect(next('2026-05-31T12:00:00+00:00', 0)).to.equal('Disabled');
    expect(next('2026-05-31T12:00:00+00:00', 24)).to.equal('Due now');
    expect(next('2026-05-31T13:00:00+00:00', 24)).to.equal('In 1 hour');
    expect(next('2026-06-01T11:00:00+00:00', 24)).to.equal('In 23 hours');
    expect(next(undefined, 24)).to.equal('In 1 day');
    expect(next(undefined, 80)).to.equal('In 3 days');
  });
});
