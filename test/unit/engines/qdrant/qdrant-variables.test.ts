import { expect } from 'chai';
import { qdrantConfig } from '../../../../shared/engines/qdrant/qdrant-variables.js';
import { ConfigurationError } from '../../../../shared/kernel/config/config.js';

describe('qdrantConfig', () => {
  const addressOf = (url: string): unknown => {
    const { host, port, isHttps, prefix } = qdrantConfig({ QDRANT_URL: url });
    return [isHttps, host, port, prefix];
  };

  it('reads host, port (default 6333) and path prefix from a URL', () => {
    expect(addressOf('http://qdrant')).to.deep.equal([false, 'qdrant', 6333, '']);
    expect(addressOf('http://qdrant:80/')).to.deep.equal([false, 'qdrant', 80, '']);
    expect(addressOf('https://example.org:443/vectors/')).to.deep.equal([true, 'example.org', 443, '/vectors']);
    expect(addressOf('http://[::1]:7000')).to.deep.equal([false, '[::1]', 7000, '']);
  });

  it('accepts a host and a port instead of a URL', () => {
    expect(qdrantConfig({ QDRANT_HOST: 'qdrant' })).to.include({ host: 'qdrant', port: 6333, isHttps: false });
    expect(qdrantConfig({ QDRANT_HOST: 'qdrant', QDRANT_PORT: '7000' })).to.include({ host: 'qdrant', port: 7000 });
  });

  it('says what to set when the address is missing, invalid or given twice', () => {
    for (const environment of [
      {},
      { QDRANT_URL: 'qdrant:6333' },
      { QDRANT_URL: 'http://' },
      { QDRANT_URL: 'http://a', QDRANT_HOST: 'a' },
    ]) {
      expect(() => qdrantConfig(environment)).to.throw(ConfigurationError, 'QDRANT_URL');
    }
  });

  it('reads the timeout in seconds, and adopts a stored size by default', () => {
    const { timeoutMs, adoptsDimension } = qdrantConfig({ QDRANT_URL: 'http://qdrant', QDRANT_TIMEOUT_SECONDS: '2.5' });
    expect([timeoutMs, adoptsDimension]).to.deep.equal([2_500, true]);
    expect(qdrantConfig({ QDRANT_URL: 'http://qdrant', VECTOR_SIZE_AUTODETECT: 'off' }).adoptsDimension).to.equal(
      false,
    );
  });
});
