import { expect } from 'chai';
import {
  ACTIVE_MS,
  type Callers,
  createCallers,
  LONGEST_MS,
  OPEN_MS,
  STEP_MS,
} from '../../../../shared/kernel/concurrency/give-way.js';
import { createFakeTiming } from '../../../support/fixtures/fake-timing.js';

describe('giving way', () => {
  let timing: ReturnType<typeof createFakeTiming>;
  let callers: Callers;
  beforeEach(() => {
    timing = createFakeTiming();
    callers = createCallers(timing);
  });

  /** Takes one turn after the other. `begun`: when each of them began. */
  function working(tenant: string, signal?: AbortSignal) {
    const begun: number[] = [];
    void (async () => {
      for (let step = 0; step < 20; step += 1) {
        await callers.giveWayOf(tenant).turn(signal);
        begun.push(timing.now());
      }
    })();
    return begun;
  }

  it('is not needed for the requests of the same tenant', async () => {
    callers.begin('busy');
    expect(callers.giveWayOf('busy').isNeeded()).to.equal(false);
    const begun = working('busy');
    await timing.pass(0);
    expect(begun).to.have.length(20);
  });

  it('is needed until others had no request for a while', async () => {
    const { isNeeded } = callers.giveWayOf('busy');
    const end = callers.begin('quiet');
    await timing.pass(1);
    expect(isNeeded()).to.equal(true);
    end();
    await timing.pass(ACTIVE_MS - 1);
    expect(isNeeded()).to.equal(true);
    await timing.pass(1);
    expect(isNeeded()).to.equal(false);
  });

  it('begins a step at the end of the request of another tenant', async () => {
    const end = callers.begin('quiet');
    const begun = working('busy');
    await timing.pass(LONGEST_MS - 1);
    expect(begun).to.deep.equal([]);
    end();
    await timing.pass(0);
    expect(begun).to.deep.equal([LONGEST_MS - 1]);
  });

  it('leaves a pause between two steps while no request is open', async () => {
    callers.begin('quiet')();
    const begun = working('busy');
    await timing.pass(3 * STEP_MS);
    expect(begun).to.deep.equal([0, STEP_MS, 2 * STEP_MS, 3 * STEP_MS]);
  });

  it('advances while requests are open all the time', async () => {
    callers.begin('quiet');
    const begun = working('busy');
    await timing.pass(2 * LONGEST_MS);
    expect(begun).to.deep.equal([LONGEST_MS, 2 * LONGEST_MS]);
  });

  it('gives the works of all tenants turns in their order', async () => {
    callers.begin('quiet')();
    const [one, two] = [working('one'), working('two')];
    await timing.pass(3 * STEP_MS);
    expect([one, two]).to.deep.equal([
      [0, 2 * STEP_MS],
      [STEP_MS, 3 * STEP_MS],
    ]);
  });

  it('counts a request as open for a bounded time', async () => {
    const end = callers.begin('quiet');
    await timing.pass(OPEN_MS + ACTIVE_MS);
    expect(callers.giveWayOf('busy').isNeeded()).to.equal(false);
    end();
    expect(callers.giveWayOf('busy').isNeeded()).to.equal(false);
  });

  it('does not keep work that was aborted waiting', async () => {
    callers.begin('quiet');
    const ended = new AbortController();
    const aborted = working('busy', ended.signal);
    const other = working('busy');
    ended.abort();
    await timing.pass(LONGEST_MS);
    expect(aborted).to.have.length(20);
    expect(other).to.deep.equal([LONGEST_MS]);
  });

  it('ends when the callers of others become inactive', async () => {
    callers.begin('quiet')();
    await timing.pass(ACTIVE_MS - STEP_MS);
    const begun = working('busy');
    await timing.pass(2 * STEP_MS);
    expect(begun).to.have.length(20);
  });
});
