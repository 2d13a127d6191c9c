import { expect } from 'chai';
import { commandVariables } from '../../../command-api/config.js';
import { gatewayConfig } from '../../../deploy/gateway/gateway-config.js';
import { GATEWAY_LIMITS } from '../../../deploy/gateway/gateway-limits.js';
import { FEED_WAIT_LIMIT_SECONDS } from '../../../shared/contract/limits.js';
import type { Variable } from '../../../shared/kernel/config.js';

describe('the configuration of the gateway', () => {
  it('finds one instance of each API on this machine when nothing is set', () => {
    const { instances, port } = gatewayConfig({});
    expect([port, String(instances.command), String(instances.query)]).to.deep.equal([
      8001,
      'http://127.0.0.1:8011/',
      'http://127.0.0.1:8012/',
    ]);
  });

  it('takes any number of instances', () => {
    const { instances } = gatewayConfig({ GATEWAY_QUERY_API_URLS: 'http://10.0.0.1:8012, http://query-2:8012/' });
    expect(instances.query.map(({ host }) => host)).to.deep.equal(['10.0.0.1:8012', 'query-2:8012']);
  });

  it('refuses every address that is none of an instance, and says which', () => {
    const read = (): unknown =>
      gatewayConfig({
        GATEWAY_COMMAND_API_URLS: 'command-api:8011',
        GATEWAY_QUERY_API_URLS: 'http://a:1,https://b,http://c/path',
      });
    expect(read).to.throw(
      /GATEWAY_COMMAND_API_URLS: "command-api:8011".*\n.*GATEWAY_QUERY_API_URLS: "https:\/\/b".*\n.*"http:\/\/c\/path"/u,
    );
  });

  it('refuses a list without an instance', () => {
    expect(() => gatewayConfig({ GATEWAY_QUERY_API_URLS: ',' })).to.throw('GATEWAY_QUERY_API_URLS');
  });
});

describe('the limits of the gateway', () => {
  it('wait longer for a command than a command may be configured to wait', () => {
    const waits: readonly Variable[] = commandVariables.filter(
      ({ name }) => name === 'VECTOR_BATCH_WAIT_MS' || name === 'COMMAND_KEY_WAIT_MS',
    );
    const longest = waits.reduce((sum, { maximum = Infinity }) => sum + maximum, 0);
    expect(waits).to.have.lengthOf(2);
    expect(GATEWAY_LIMITS.commandTimeoutMs).to.be.above(longest);
  });

  it('wait longer for a read than a read may wait for events', () => {
    expect(GATEWAY_LIMITS.readTimeoutMs).to.be.above(FEED_WAIT_LIMIT_SECONDS * 1_000 + 5_000);
  });
});
