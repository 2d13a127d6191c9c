import { expect } from 'chai';
import type { ReplyFor } from '../../../shared/http/handler.js';
import { createOpenRequests } from '../../../shared/http/request/open-requests.js';
import { rejection } from '../../support/checks/rejection.js';

describe('open requests', () => {
  it('count until each request has its reply or has failed', async () => {
    const requests = createOpenRequests();
    let reply: (reply: ReplyFor<'livez'>) => void = () => undefined;
    const handlers = requests.counting<'livez' | 'readyz'>({
      livez: () => new Promise<ReplyFor<'livez'>>((resolve) => (reply = resolve)),
      readyz: () => Promise.reject(new TypeError('no')),
    });
    const open = handlers.livez({} as never);
    const failed = handlers.readyz({} as never);
    expect(requests.count()).to.equal(2);
    await rejection(failed);
    expect(requests.count()).to.equal(1);
    reply({ status: 200, body: { status: 'ok' } });
    expect(await open).to.deep.equal({ status: 200, body: { status: 'ok' } });
    expect(requests.count()).to.equal(0);
  });

  for (const [operation, isNeeded] of [
    ['recall', true],
    ['storeMemory', true],
    ['importRecords', false],
    ['health', false],
  ] as const)
    it(`${isNeeded ? 'slow' : 'do not slow'} long work of other tenants for ${operation}`, () => {
      const requests = createOpenRequests();
      const never = { [operation]: () => new Promise(() => undefined) } as never;
      void (requests.counting(never, 'one')[operation] as (request: object) => Promise<unknown>)({});
      expect(requests.giveWayOf('other').isNeeded()).to.equal(isNeeded);
      expect(requests.giveWayOf('one').isNeeded()).to.equal(false);
    });
});
