import { expect } from 'chai';
import { createInFlight } from '../../../command-api/command-handling.js';
import { ConflictError } from '../../../shared/kernel/errors.js';

function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

describe('createInFlight', () => {
  it('starts the second request with a key after the first has ended', async () => {
    const inFlight = createInFlight({ waitMs: 10_000, refusal: 'busy' });
    const first = deferred<string>();
    const order: string[] = [];
    const one = inFlight('key', () => first.promise.then(() => order.push('first')));
    const two = inFlight('key', () => Promise.resolve(order.push('second')));

    first.resolve('done');
    await Promise.all([one, two]);

    expect(order).to.deep.equal(['first', 'second']);
  });

  it('runs waiting requests one after the other, also after a failure', async () => {
    const inFlight = createInFlight({ waitMs: 10_000, refusal: 'busy' });
    const first = deferred<never>();
    let running = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
    };
    const one = inFlight('key', () => first.promise).catch((error: Error) => error.message);
    const others = Array.from({ length: 5 }, () => inFlight('key', work));

    first.reject(new Error('failed'));
    await Promise.all(others);

    expect(await one).to.equal('failed');
    expect(most).to.equal(1);
  });

  it('refuses a request after its wait and sends Retry-After', async () => {
    const inFlight = createInFlight({ waitMs: 5, refusal: 'busy' });
    const first = deferred<string>();
    const one = inFlight('key', () => first.promise);

    const refused = await inFlight('key', () => Promise.resolve('')).catch((error: unknown) => error);

    expect(refused).to.be.instanceOf(ConflictError).with.property('retryAfterSeconds', 1);
    first.resolve('done');
    await one;
  });

  it('keeps the order of the requests behind one that no longer waits', async () => {
    const inFlight = createInFlight({ waitMs: 20, refusal: 'busy' });
    const first = deferred<string>();
    const order: string[] = [];
    const one = inFlight('key', () => first.promise).then(() => order.push('first'));
    const refused = await inFlight('key', () => Promise.resolve('')).catch((error: unknown) => error);
    const third = inFlight('key', () => Promise.resolve(order.push('third')));

    expect(refused).to.be.instanceOf(ConflictError).with.property('message', 'busy');
    expect(order).to.deep.equal([]);
    first.resolve('done');
    await Promise.all([one, third]);
    expect(order).to.deep.equal(['first', 'third']);
  });

  it('does not delay requests with another key or without a key', async () => {
    const inFlight = createInFlight({ waitMs: 10_000, refusal: 'busy' });
    const first = deferred<string>();
    const one = inFlight('key', () => first.promise);

    expect(await inFlight('other', () => Promise.resolve('other'))).to.equal('other');
    expect(await inFlight(null, () => Promise.resolve('none'))).to.equal('none');
    first.resolve('done');
    expect(await one).to.equal('done');
  });
});
