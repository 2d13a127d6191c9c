import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { ADMISSION_LIMITS, type Admit, createAdmission } from '../../../shared/http/admission.js';
import { NO_METRICS } from '../../../shared/kernel/metrics/metrics.js';
import { rejection } from '../../support/checks/rejection.js';
import { until } from '../../support/checks/until.js';

const HEAVY = ADMISSION_LIMITS.heavyUnits + 1;
const LIMITS = {
  ...ADMISSION_LIMITS,
  cores: 1,
  lightCapacity: 10,
  heavyCapacity: 100,
  lightHoldMs: 60_000,
  heavyHoldMs: 60_000,
};

/** Admits requests and notes the order in which their work begins. */
function recorded(admit: Admit) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    send: (name: string, units: number, caller = name, hangUp = new AbortController().signal) => {
      const admitted = admit({ caller, units, signal: hangUp });
      void admitted.then(
        (end) => {
          begun.push(name);
          ends.set(name, end);
        },
        () => undefined,
      );
      return admitted;
    },
    end: async (name: string) => {
      ends.get(name)?.();
      await new Promise(setImmediate);
    },
  };
}

const settle = () => new Promise(setImmediate);

describe('admission', () => {
  it('lets work begin while there is capacity, and the rest in its order', async () => {
    const { begun, send, end } = recorded(createAdmission(NO_METRICS, LIMITS));
    for (const name of ['a', 'b', 'c']) void send(name, 5, 'one caller');
    await settle();
    expect(begun).to.deep.equal(['a', 'b']);
    await end('b');
    expect(begun).to.deep.equal(['a', 'b', 'c']);
  });

  it('gives callers turns: one with many requests delays another by one', async () => {
    const { begun, send, end } = recorded(createAdmission(NO_METRICS, { ...LIMITS, lightCapacity: 50 }));
    for (let index = 0; index < 10; index += 1) void send(`many ${index}`, 50, 'many');
    void send('few', 50);
    await settle();
    await end('many 0');
    await end('many 1');
    expect(begun.slice(0, 3)).to.include('few');
  });

  it('begins work of a caller with nothing at work at once, in as much capacity again', async () => {
    const { begun, send, end } = recorded(createAdmission(NO_METRICS, LIMITS));
    for (let index = 0; index < 3; index += 1) void send(`many ${index}`, 10, 'many');
    await settle();
    void send('few', 10);
    await settle();
    expect(begun).to.deep.equal(['many 0', 'few']);
    void send('another', 10);
    await settle();
    expect(begun).to.deep.equal(['many 0', 'few']);
    await end('few');
    expect(begun).to.deep.equal(['many 0', 'few']);
    await end('many 0');
    expect(begun).to.have.length(3);
  });

  it('lets heavy work rest for twice its time while another caller is active', async () => {
    const { begun, send, end } = recorded(createAdmission(NO_METRICS, LIMITS));
    for (const name of ['first', 'second']) void send(name, 100, 'many');
    void send('few', 1);
    await sleep(32); // a timer may be a millisecond early
    const endedAt = performance.now();
    await end('first');
    expect(begun).to.deep.equal(['first', 'few']);
    await until('the second one begins', () => begun.includes('second'));
    expect(performance.now() - endedAt).to.be.at.least(2 * 29);
  });

  it('lets heavy work of a caller that is alone follow at once', async () => {
    const { begun, send, end } = recorded(createAdmission(NO_METRICS, LIMITS));
    for (const name of ['first', 'second']) void send(name, 100, 'many');
    void send('light', 1, 'many');
    await sleep(30);
    await end('first');
    expect(begun).to.deep.equal(['first', 'light', 'second']);
  });

  it('shares by cost, not by count', async () => {
    const { begun, send, end } = recorded(createAdmission(NO_METRICS, { ...LIMITS, lightCapacity: 50 }));
    void send('first', 50);
    for (let index = 0; index < 4; index += 1) void send(`large ${index}`, 50, 'large');
    for (let index = 0; index < 20; index += 1) void send(`small ${index}`, 5, 'small');
    await settle();
    for (let turn = 0; turn < 23; turn += 1) await end(begun[turn] ?? '');
    expect(begun.indexOf('small 19')).to.be.within(20, begun.indexOf('large 2'));
  });

  it('begins in one turn of the event loop no more than there is capacity for', async () => {
    const admit = createAdmission(NO_METRICS, LIMITS);
    let begun = 0;
    let turns = 0;
    const count = (): void => {
      turns += 1;
      if (begun < 10) setImmediate(count);
    };
    setImmediate(count);
    const work = async (): Promise<void> => {
      const end = await admit({ caller: 'one', units: 10, signal: new AbortController().signal });
      begun += 1;
      end();
    };
    for (let request = 0; request < 10; request += 1) await work();
    expect(turns).to.be.at.least(9);
  });

  it('never lets light work wait for heavy work', async () => {
    const { begun, send } = recorded(createAdmission(NO_METRICS, LIMITS));
    for (let index = 0; index < 5; index += 1) void send(`heavy ${index}`, HEAVY, 'one caller');
    void send('light', 1, 'one caller');
    await settle();
    expect(begun).to.deep.equal(['heavy 0', 'light']);
  });

  it('admits work that costs more than all the capacity, alone', async () => {
    const { begun, send, end } = recorded(createAdmission(NO_METRICS, LIMITS));
    void send('huge', 1_000_000);
    void send('heavy', HEAVY);
    await settle();
    expect(begun).to.deep.equal(['huge']);
    await end('huge');
    expect(begun).to.deep.equal(['huge', 'heavy']);
  });

  it('takes the capacity back from work that lasts long, once', async () => {
    const { begun, send, end } = recorded(createAdmission(NO_METRICS, { ...LIMITS, lightHoldMs: 1 }));
    void send('slow', 10);
    await send('next', 10);
    expect(begun).to.deep.equal(['slow', 'next']);
    await end('slow');
    void send('other', 10);
    await end('next');
    await settle();
    expect(begun).to.include('other');
  });

  it('refuses with 429, the cost and Retry-After what would wait for too long', async () => {
    const { send } = recorded(createAdmission(NO_METRICS, { ...LIMITS, callerWaiting: 1, waitMs: 1 }));
    void send('at work', 10);
    const late = send('late', 7, 'one');
    const tooMany = await rejection(send('too many', 7, 'one'));
    expect(tooMany).to.deep.include({ status: 429, headers: { 'retry-after': '1' } });
    expect(tooMany).to.have.property('message').that.includes('costs 7 units');
    expect(await rejection(late)).to.include({ status: 429 });
  });

  it('forgets a request whose client has gone', async () => {
    const { begun, send, end } = recorded(createAdmission(NO_METRICS, LIMITS));
    const gone = new AbortController();
    void send('at work', 10);
    const waiting = send('gone', 10, 'one', gone.signal);
    void send('next', 10);
    gone.abort();
    expect(await rejection(waiting)).to.include({ status: 408 });
    expect(await rejection(send('gone before', 10, 'one', gone.signal))).to.include({ status: 408 });
    await end('at work');
    expect(begun).to.deep.equal(['at work', 'next']);
  });
});
