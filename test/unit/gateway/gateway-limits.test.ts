import { expect } from 'chai';
import { KEY_WAIT_MS } from '../../../command-api/command-handling.js';
import { commandVariables } from '../../../command-api/config.js';
import { GATEWAY_LIMITS } from '../../../deploy/gateway/gateway-limits.js';
import { FEED_WAIT_LIMIT_SECONDS } from '../../../shared/contract/limits.js';
import type { Variable } from '../../../shared/kernel/config/config.js';

describe('gateway limits', () => {
  it('have a command timeout longer than the longest wait of a command', () => {
    const variables: readonly Variable[] = commandVariables;
    const wait = variables.find(({ name }) => name === 'VECTOR_BATCH_WAIT_MS');
    expect(GATEWAY_LIMITS.commandTimeoutMs).to.be.above((wait?.maximum ?? Infinity) + KEY_WAIT_MS);
  });

  it('have a read timeout longer than the longest wait of a read for events', () => {
    expect(GATEWAY_LIMITS.readTimeoutMs).to.be.above(FEED_WAIT_LIMIT_SECONDS * 1_000 + 5_000);
  });
});
