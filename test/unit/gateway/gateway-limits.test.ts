import { expect } from 'chai';
import { commandVariables } from '../../../command-api/config.js';
import { GATEWAY_LIMITS } from '../../../deploy/gateway/gateway-limits.js';
import { FEED_WAIT_LIMIT_SECONDS } from '../../../shared/contract/limits.js';
import type { Variable } from '../../../shared/kernel/config/config.js';

describe('gateway limits', () => {
  it('have a command timeout longer than the longest wait of a command', () => {
    const waits: readonly Variable[] = commandVariables.filter(
      ({ name }) => name === 'VECTOR_BATCH_WAIT_MS' || name === 'COMMAND_KEY_WAIT_MS',
    );
    const longest = waits.reduce((sum, { maximum = Infinity }) => sum + maximum, 0);
    expect(waits).to.have.lengthOf(2);
    expect(GATEWAY_LIMITS.commandTimeoutMs).to.be.above(longest);
  });

  it('have a read timeout longer than the longest wait of a read for events', () => {
    expect(GATEWAY_LIMITS.readTimeoutMs).to.be.above(FEED_WAIT_LIMIT_SECONDS * 1_000 + 5_000);
  });
});
