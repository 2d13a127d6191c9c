/** The recalls of the last hour that a process keeps. */
import { expect } from 'chai';
import { createRecentRecalls, STEP_MS } from '../../../../query-api/health/recent-recalls.js';
import { ACTIVITY } from '../../../../shared/contract/admin.js';

const START = Date.parse('2026-06-01T08:00:03Z');
const HOUR_MS = 3_600_000;

describe('recent recalls', () => {
  let now: number;
  let recalls: ReturnType<typeof createRecentRecalls>;
  beforeEach(() => {
    now = START;
    recalls = createRecentRecalls({ clock: { now: () => new Date(now) } });
  });
  const read = () => recalls.read(new Date(now));
  const add = (elapsedMs: number, results = 1) => recalls.add({ elapsedMs, results });

  it('cover one hour', () => {
    expect(ACTIVITY.steps * STEP_MS).to.equal(HOUR_MS);
    expect(read().steps).to.have.length(ACTIVITY.steps);
  });

  it('are not known before the start of the process', () => {
    const { steps, total } = read();
    expect(steps.slice(0, -1).every((step) => step === null)).to.equal(true);
    expect(steps.at(-1)).to.deep.equal({ recalls: 0, foundNothing: 0, p50Ms: null, p95Ms: null });
    expect(total.recalls).to.equal(0);
    now += 2 * STEP_MS;
    expect(read().steps.filter((step) => step !== null)).to.have.length(3);
  });

  it('have the number, the misses and the times of each step', () => {
    for (let ms = 1; ms <= 100; ms += 1) add(ms, ms % 10 === 0 ? 0 : 3);
    now += STEP_MS;
    add(1_000);
    const { steps, total } = read();
    const [first, second] = steps.slice(-2);
    expect(first).to.include({ recalls: 100, foundNothing: 10 });
    expect(first?.p50Ms).to.be.within(50 * 0.95, 50 * 1.05);
    expect(first?.p95Ms).to.be.within(95 * 0.95, 95 * 1.05);
    expect(second?.p50Ms).to.be.within(950, 1_050);
    expect(total).to.include({ recalls: 101, foundNothing: 10 });
    expect(total.p50Ms).to.be.within(51 * 0.95, 51 * 1.05);
  });

  it('keep a recall for an hour, and no longer', () => {
    add(5);
    now += HOUR_MS - STEP_MS;
    expect([read().steps[0]?.recalls, read().total.recalls]).to.deep.equal([1, 1]);
    now += STEP_MS;
    expect(read().total.recalls).to.equal(0);
    add(7);
    expect(
      read()
        .steps.map((step) => step?.recalls)
        .filter((each) => each !== 0),
    ).to.deep.equal([1]);
  });

  it('count the shortest, the longest, and those of a clock that was set back', () => {
    for (const ms of [0, 1e9]) add(ms);
    now -= HOUR_MS / 2;
    add(5);
    expect(read().steps.at(-1)?.recalls).to.equal(1);
    now = START;
    expect(read().total.recalls).to.equal(3);
    expect(read().total.p95Ms).to.be.above(80_000);
  });
});
