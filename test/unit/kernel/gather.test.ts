import { expect } from 'chai';
import { DeadlineError } from '../../../shared/kernel/errors.js';
import { createGatherer, type GatherLimits, type Gatherer } from '../../../shared/kernel/gather.js';
import { rejection } from '../../support/rejection.js';

const LIMITS: GatherLimits = { group: { count: 3, bytes: 100 }, smallCount: 2, queue: { count: 10, bytes: 1_000 } };

/** A gatherer whose groups wait, each until `finish` is called. */
function gathererByHand(limits = LIMITS) {
  const groups: string[][] = [];
  const running: (() => void)[] = [];
  const gatherer: Gatherer<string, string> = createGatherer({
    limits,
    weigh: (item) => ({ count: 1, bytes: item.length }),
    run: async (items) => {
      groups.push([...items]);
      await new Promise<void>((resolve) => running.push(resolve));
      if (items.includes('bad')) throw new Error('the group broke');
      return items.map((item) => item.toUpperCase());
    },
  });
  /** Lets the running group end, and waits until the next one has begun or none is left. */
  const finish = async (): Promise<void> => {
    running.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { gatherer, groups, finish };
}

describe('the gatherer', () => {
  it('runs what is submitted in one turn as one group, and gathers the next while that is in flight', async () => {
    const { gatherer, groups, finish } = gathererByHand();
    const first = [gatherer.submit(['a']), gatherer.submit(['b'])];
    await finish();
    const later = [gatherer.submit(['c']), gatherer.submit(['d'])];
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

  it('ends a group at its count and at its bytes, and runs a heavier item alone', async () => {
    const { gatherer, groups, finish } = gathererByHand();
    const wide = 'w'.repeat(60);
    const submitted = ['a', 'b', 'c', wide, wide, 'x'.repeat(500)].map((item) => gatherer.submit([item]));
    for (let i = 0; i < 5; i += 1) await finish();
    await Promise.all(submitted);
    expect(groups.map((group) => group.map((item) => item.length))).to.deep.equal([[1, 1, 1], [60], [60], [500]]);
  });

  it('lets a small submission wait for one group of a large one, no more', async () => {
    const { gatherer, groups, finish } = gathererByHand();
    const large = gatherer.submit(['l1', 'l2', 'l3', 'l4', 'l5', 'l6', 'l7']);
    await finish();
    const small = gatherer.submit(['s']);
    for (let i = 0; i < 5; i += 1) await finish();
    await Promise.all([large, small]);
    expect(groups).to.deep.equal([['l1', 'l2', 'l3'], ['s'], ['l4', 'l5', 'l6'], ['l7']]);
  });

  it('refuses a submission that does not fit into the queue, as a whole', async () => {
    const { gatherer, groups, finish } = gathererByHand();
    const running = gatherer.submit(['a']);
    await finish();
    const waiting = [gatherer.submit(['b', 'c']), gatherer.submit(Array.from({ length: 7 }, (_, i) => `l${i}`))];
    expect(await rejection(gatherer.submit(['d', 'e']))).to.be.instanceOf(DeadlineError);
    for (let i = 0; i < 6; i += 1) await finish();
    await Promise.all([running, ...waiting]);
    expect(groups.flat()).to.have.length(10).and.not.include('d');
  });

  it('tells a broken group to its own items alone', async () => {
    const { gatherer, finish } = gathererByHand();
    const bad = gatherer.submit(['bad']);
    await finish();
    const good = gatherer.submit(['good']);
    for (let i = 0; i < 3; i += 1) await finish();
    expect((await bad)[0]).to.have.nested.property('reason.message', 'the group broke');
    expect(await good).to.deep.equal([{ status: 'fulfilled', value: 'GOOD' }]);
  });
});
