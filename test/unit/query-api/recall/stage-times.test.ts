import { expect } from 'chai';
import { createStageTimes } from '../../../../query-api/recall/stage-times.js';

/** With a clock that advances only by calls of `pass`. */
function timed() {
  let at = 100;
  const times = createStageTimes(100, () => at);
  return { ...times, pass: (ms: number) => void (at += ms) };
}

describe('stage times', () => {
  it('list the stages that ran, and the total last', () => {
    const { stage, serverTiming, pass } = timed();
    expect(stage('score', () => (pass(2.348), 7))).to.equal(7);
    pass(1);
    expect(serverTiming()).to.equal('score;dur=2.35, total;dur=3.35');
  });

  it('add up the runs of a stage', async () => {
    const { stage, serverTiming, pass } = timed();
    await stage('hydrate', async () => pass(2));
    stage('score', () => pass(1));
    await stage('hydrate', async () => pass(3));
    expect(serverTiming()).to.equal('hydrate;dur=5, score;dur=1, total;dur=6');
  });

  it('count concurrent work of a stage once', async () => {
    const { stage, serverTiming, pass } = timed();
    const ends: (() => void)[] = [];
    const slow = () => stage('retrieve', () => new Promise<void>((resolve) => ends.push(resolve)));
    const both = [slow(), slow()];
    pass(4);
    ends.forEach((end) => end());
    await Promise.all(both);
    expect(serverTiming()).to.equal('retrieve;dur=4, total;dur=4');
  });

  it('count failed work and rethrow its error', async () => {
    const { stage, serverTiming, pass } = timed();
    const failure = new Error('down');
    const outcome = await stage('encode', async () => {
      pass(3);
      throw failure;
    }).catch((error: unknown) => error);
    expect(outcome).to.equal(failure);
    expect(serverTiming()).to.equal('encode;dur=3, total;dur=3');
  });

  it('count work that is still running up to now', () => {
    const { stage, serverTiming, pass } = timed();
    void stage('encode', () => new Promise(() => undefined));
    pass(5);
    expect(serverTiming()).to.equal('encode;dur=5, total;dur=5');
  });
});
