import { expect } from 'chai';
import { createPacer, mapPaced, SLICE_MS } from '../../../../shared/kernel/concurrency/paced.js';
import { rejection } from '../../../support/checks/rejection.js';

/** A clock that each step of the work moves. */
function clock() {
  let time = 0;
  return { now: () => time, pass: (ms: number) => (time += ms) };
}

/** Counts the turns of the event loop until the work ends. */
async function turnsOf(work: Promise<unknown>): Promise<number> {
  let [turns, isOver] = [0, false];
  void work.finally(() => (isOver = true));
  const count = (): void => {
    if (isOver) return;
    turns += 1;
    setImmediate(count);
  };
  setImmediate(count);
  await work;
  return turns;
}

describe('mapPaced', () => {
  it('keeps the order of the items', async () => {
    expect(await mapPaced(['a', 'b'], (item, index) => `${item}${index}`)).to.deep.equal(['a0', 'b1']);
  });

  it('lets other work run after each slice', async () => {
    const { now, pass } = clock();
    const work = mapPaced([1, 2, 3, 4], () => pass(SLICE_MS), createPacer(now));
    expect(await turnsOf(work)).to.be.at.least(3);
  });

  it('gives each slice of concurrent work a turn of its own', async () => {
    const { now, pass } = clock();
    const works = [1, 2, 3].map(() => mapPaced([1, 2], () => pass(SLICE_MS), createPacer(now)));
    expect(await turnsOf(Promise.all(works))).to.be.at.least(5);
  });

  it('takes no turn of the event loop for short work', async () => {
    const { now, pass } = clock();
    expect(await turnsOf(mapPaced([1, 2, 3], () => pass(0.1), createPacer(now)))).to.equal(0);
  });

  it('stops at the first error', async () => {
    const done: number[] = [];
    const work = mapPaced([1, 2, 3], (item) => {
      if (item === 2) throw new Error('two');
      done.push(item);
    });
    expect(await rejection(work)).to.have.property('message', 'two');
    expect(done).to.deep.equal([1]);
  });
});
