import { expect } from 'chai';
import { ConfigurationError } from '../../../../shared/kernel/config.js';
import { qdrantConfig } from '../../../../shared/vectors/qdrant/qdrant-variables.js';

describe('qdrantConfig', () => {
  const placeOf = (url: string): unknown => {
    const { host, port, isHttps, prefix } = qdrantConfig({ QDRANT_URL: url });
    return [isHttps, host, port, prefix];
  };

  it('reads a URL: without a port 6333, with one that one, even where the scheme would drop it, and a path as a prefix', () => {
    expect(placeOf('http://qdrant')).to.deep.equal([false, 'qdrant', 6333, '']);
    expect(placeOf('http://qdrant:80/')).to.deep.equal([false, 'qdrant', 80, '']);
    expect(placeOf('https://example.org:443/vectors/')).to.deep.equal([true, 'example.org', 443, '/vectors']);
    expect(placeOf('http://[::1]:7000')).to.deep.equal([false, '[::1]', 7000, '']);
  });

  it('takes a host and a port instead', () => {
    expect(qdrantConfig({ QDRANT_HOST: 'qdrant' })).to.include({ host: 'qdrant', port: 6333, isHttps: false });
    expect(qdrantConfig({ QDRANT_HOST: 'qdrant', QDRANT_PORT: '7000' })).to.include({ host: 'qdrant', port: 7000 });
  });

  it('says what to set when the place is missing, unreadable or given twice', () => {
    for (const environment of [
      {},
      { QDRANT_URL: 'qdrant:6333' },
      { QDRANT_URL: 'http://' },
      { QDRANT_URL: 'http://a', QDRANT_HOST: 'a' },
    ]) {
      expect(() => qdrantConfig(environment)).to.throw(ConfigurationError, 'QDRANT_URL');
    }
  });

  it('counts the timeout in seconds, and adopts a stored size unless told not to', () => {
    const { timeoutMs, adoptsDimension } = qdrantConfig({ QDRANT_URL: 'http://qdrant', QDRANT_TIMEOUT_SECONDS: '2.5' });
    expect([timeoutMs, adoptsDimension]).to.deep.equal([2_500, true]);
    expect(qdrantConfig({ QDRANT_URL: 'http://qdrant', VECTOR_SIZE_AUTODETECT: 'off' }).adoptsDimension).to.equal(
      false,
    );
  });
});
