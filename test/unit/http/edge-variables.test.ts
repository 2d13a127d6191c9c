import { expect } from 'chai';
import { DEFAULT_PORTS, edgeConfig } from '../../../shared/http/edge-variables.js';
import { ConfigurationError } from '../../../shared/kernel/config/config.js';

describe('edge configuration', () => {
  it('opens port 8001 without tokens when nothing is set', () => {
    expect(edgeConfig({}, DEFAULT_PORTS.service)).to.deep.equal({
      port: 8001,
      host: undefined,
      tokens: { api: [], admin: null, internal: null },
      allowedOrigins: ['*'],
      logLevel: 'info',
      requestTimeoutMs: 120_000,
      stopDeadlineMs: 10_000,
    });
  });

  it('listens on the one address in LISTEN_HOST', () => {
    expect(edgeConfig({ LISTEN_HOST: '127.0.0.1' }, 1).host).to.equal('127.0.0.1');
  });

  it('reads tokens with and without a name', () => {
    const { tokens } = edgeConfig(
      { SERVICE_API_TOKEN: 'plain', API_TOKENS: 'alice:one, build : two:with:colons ,', ADMIN_API_TOKEN: 'admin' },
      1,
    );
    expect(tokens).to.deep.equal({
      api: [
        { name: null, token: 'plain' },
        { name: 'alice', token: 'one' },
        { name: 'build', token: 'two:with:colons' },
      ],
      admin: 'admin',
      internal: null,
    });
  });

  it('reads the API token by its older name and rejects two different values', () => {
    expect(edgeConfig({ AUTOMEM_API_TOKEN: 'old' }, 1).tokens.api).to.deep.equal([{ name: null, token: 'old' }]);
    expect(() => edgeConfig({ SERVICE_API_TOKEN: 'a', AUTOMEM_API_TOKEN: 'b' }, 1)).to.throw(
      ConfigurationError,
      'SERVICE_API_TOKEN and AUTOMEM_API_TOKEN',
    );
  });

  it('names the invalid pair of API_TOKENS by its number without its text', () => {
    for (const pairs of ['alice:one,s3cret', 'alice:one,:s3cret', 'alice:one,s3cret:']) {
      expect(() => edgeConfig({ API_TOKENS: pairs }, 1))
        .to.throw(ConfigurationError, 'API_TOKENS: pair 2 is not name:token')
        .and.satisfy((error: Error) => !error.message.includes('s3cret'));
    }
  });
});
