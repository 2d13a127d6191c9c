import { expect } from 'chai';
import { gatewayConfig } from '../../../deploy/gateway/gateway-config.js';

describe('gatewayConfig', () => {
  it('expects one instance of each API on this machine by default', () => {
    const { instances, port } = gatewayConfig({});
    expect([port, String(instances.command), String(instances.query)]).to.deep.equal([
      8001,
      'http://127.0.0.1:8011/',
      'http://127.0.0.1:8012/',
    ]);
  });

  it('reads any number of instances', () => {
    const { instances } = gatewayConfig({ GATEWAY_QUERY_API_URLS: 'http://10.0.0.1:8012, http://query-2:8012/' });
    expect(instances.query.map(({ host }) => host)).to.deep.equal(['10.0.0.1:8012', 'query-2:8012']);
  });

  it('rejects invalid addresses, naming the variable and every value', () => {
    const read = (): unknown =>
      gatewayConfig({
        GATEWAY_COMMAND_API_URLS: 'command-api:8011',
        GATEWAY_QUERY_API_URLS: 'http://a:1,https://b,http://c/path',
      });
    expect(read).to.throw(
      /GATEWAY_COMMAND_API_URLS: "command-api:8011".*\n.*GATEWAY_QUERY_API_URLS: "https:\/\/b".*\n.*"http:\/\/c\/path"/u,
    );
  });

  it('rejects a list without an instance', () => {
    expect(() => gatewayConfig({ GATEWAY_QUERY_API_URLS: ',' })).to.throw('GATEWAY_QUERY_API_URLS');
  });
});
