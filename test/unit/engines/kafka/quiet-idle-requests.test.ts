import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import { GUARDED_VERSION, quietIdleRequests } from '../../../../shared/engines/kafka/kafka-client.js';

const require = createRequire(import.meta.url);

describe('quietIdleRequests', () => {
  it('was written for the installed version of kafkajs', () => {
    const installed = JSON.parse(readFileSync(require.resolve('kafkajs/package.json'), 'utf8')) as { version: string };
    expect(installed.version).to.equal(GUARDED_VERSION);
  });

  it('sets a timer only while requests wait, also when it is called twice', () => {
    quietIdleRequests();
    quietIdleRequests();
    // The members that the guard uses.
    const RequestQueue = require('kafkajs/src/network/requestQueue') as new (options: object) => {
      pending: unknown[];
      throttledUntil: number;
      throttleCheckTimeoutId: NodeJS.Timeout | null;
      scheduleCheckPendingRequests(): void;
      destroy(): void;
    };
    const queue = new RequestQueue({ maxInFlightRequests: 1, logger: {} });
    queue.scheduleCheckPendingRequests();
    expect(queue.throttleCheckTimeoutId).to.equal(null);
    queue.throttledUntil = Date.now() + 60_000;
    queue.scheduleCheckPendingRequests();
    expect(queue.throttleCheckTimeoutId).not.to.equal(null);
    queue.destroy();
  });
});
