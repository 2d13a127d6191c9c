import { expect } from 'chai';
import { type Batcher, type BatchLimits, createBatcher } from '../../../../shared/kernel/concurrency/batch-calls.js';
import { DeadlineError } from '../../../../shared/kernel/errors.js';
import { rejection } from '../../../support/checks/rejection.js';

const LIMITS: BatchLimits = { group: { count: 3, bytes: 100 }, smallCount: 2, queue: { count: 10, bytes: 1_000 } };

/** A batcher whose groups wait, each until `finish` is called. */
function manualBatcher(limits = LIMITS) {
  const groups: string[][] = [];
  const running: (() => void)[] = [];
  const batcher: Batcher<string, string> = createBatcher({
    limits,
    weigh: (item) => ({ count: 1, bytes: item.length }),
    run: async (items) => {
      groups.push([...items]);
      await new Promise<void>((resolve) => running.push(resolve));
      if (items.includes('bad')) throw new Error('the group failed');
      return items.map((item) => item.toUpperCase());
    },
  });
  /** Lets the running group end, and waits until the next one has started or none is left. */
  const finish = async (): Promise<void> => {
    running.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { batcher, groups, finish };
}

describe('batcher', () => {
  it('runs submissions of one turn as one group and collects the next group meanwhile', async () => {
    const { batcher, groups, finish } = manualBatcher();
    const first = [batcher.submit(['a']), batcher.submit(['b'])];
    await finish();
    const later = [batcher.submit(['c']), batcher.submit(['d'])];
    expect(groups).to.deep.equal([['a', 'b']]);
    await finish();
    await finish();
    expect(groups).to.deep.equal([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    const results = (await Promise.all([...first, ...later])).flat();
    expect(results).to.deep.equal(['A', 'B', 'C', 'D'].map((value) => ({ status: 'fulfilled', value })));
  });

  it('ends a group at its limit of count or bytes and runs a heavier item alone', async () => {
    const { batcher, groups, finish } = manualBatcher();
    const wide = 'w'.repeat(60);
    const submitted = ['a', 'b', 'c', wide, wide, 'x'.repeat(500)].map((item) => batcher.submit([item]));
    for (let i = 0; i < 5; i += 1) await finish();
    await Promise.all(submitted);
    expect(groups.map((group) => group.map((item) => item.length))).to.deep.equal([[1, 1, 1], [60], [60], [500]]);
  });

  it('lets a small submission wait for at most one group of a large one', async () => {
    const { batcher, groups, finish } = manualBatcher();
    const large = batcher.submit(['l1', 'l2', 'l3', 'l4', 'l5', 'l6', 'l7']);
    await finish();
    const small = batcher.submit(['s']);
    for (let i = 0; i < 5; i += 1) await finish();
    await Promise.all([large, small]);
    expect(groups).to.deep.equal([['l1', 'l2', 'l3'], ['s'], ['l4', 'l5', 'l6'], ['l7']]);
  });

  it('rejects a whole submission that does not fit into the queue', async () => {
    const { batcher, groups, finish } = manualBatcher();
    const running = batcher.submit(['a']);
    await finish();
    const waiting = [batcher.submit(['b', 'c']), batcher.submit(Array.from({ length: 7 }, (_, i) => `l${i}`))];
    expect(await rejection(batcher.submit(['d', 'e']))).to.be.instanceOf(DeadlineError);
    for (let i = 0; i < 6; i += 1) await finish();
    await Promise.all([running, ...waiting]);
    expect(groups.flat()).to.have.length(10).and.not.include('d');
  });

  it('rejects only the items of a failed group', async () => {
    const { batcher, finish } = manualBatcher();
    const bad = batcher.submit(['bad']);
    await finish();
    const good = batcher.submit(['good']);
    for (let i = 0; i < 3; i += 1) await finish();
    expect((await bad)[0]).to.have.nested.property('reason.message', 'the group failed');
    expect(await good).to.deep.equal([{ status: 'fulfilled', value: 'GOOD' }]);
  });
});
