import { expect } from 'chai';
import { SCOPE_NAMES, TAGGED_KEY_SCOPES } from '../../../shared/contract/scopes.js';
import { bridgeEdgeConfig, DEFAULT_PORTS, edgeConfig, probeConfig } from '../../../shared/http/edge-variables.js';
import { ConfigurationError } from '../../../shared/kernel/config/config.js';

describe('edge configuration', () => {
  it('opens port 8001 for this machine alone when nothing is set', () => {
    expect(edgeConfig({}, DEFAULT_PORTS.service)).to.deep.equal({
      port: 8001,
      host: 'localhost',
      isLoopbackOnly: true,
      tokens: { api: [], admin: null, internal: null },
      oidc: null,
      allowedOrigins: ['*'],
      metrics: null,
      logLevel: 'info',
      stopDeadlineMs: 10_000,
    });
  });

  it('serves metrics to this machine, unless METRICS_HOST says otherwise', () => {
    expect(edgeConfig({ METRICS_PORT: '9464' }, 1).metrics).to.deep.equal({ port: 9464, host: 'localhost' });
    expect(edgeConfig({ METRICS_PORT: '0', METRICS_HOST: '*' }, 1).metrics).to.deep.equal({ port: 0, host: undefined });
    expect(() => edgeConfig({ METRICS_PORT: '70000' }, 1)).to.throw(ConfigurationError, 'METRICS_PORT');
  });

  it('listens on the one address in LISTEN_HOST', () => {
    expect(edgeConfig({ LISTEN_HOST: '127.0.0.1' }, 1).host).to.equal('127.0.0.1');
  });

  it('listens on every address with a token or with ALLOW_ANONYMOUS', () => {
    for (const opened of [{ SERVICE_API_TOKEN: 'a' }, { API_TOKENS: 'me:a' }, { ALLOW_ANONYMOUS: 'true' }])
      expect(edgeConfig(opened, 1)).to.include({ host: undefined, isLoopbackOnly: false });
    expect(edgeConfig({ ADMIN_API_TOKEN: 'a' }, 1)).to.include({ host: 'localhost', isLoopbackOnly: true });
  });

  it('is closed by an issuer of tokens, also with ALLOW_ANONYMOUS', () => {
    const issuer = { OIDC_ISSUER: 'https://login.example/realms/main', OIDC_AUDIENCE: 'palimpsest' };
    const expected = {
      issuer: issuer.OIDC_ISSUER,
      audience: 'palimpsest',
      scopeClaim: 'scope',
      tagClaim: null,
      tenantClaim: null,
    };
    for (const variables of [issuer, { ...issuer, LISTEN_HOST: '*' }, { ...issuer, ALLOW_ANONYMOUS: 'true' }]) {
      const { oidc, host, isLoopbackOnly } = edgeConfig(variables, 1);
      expect({ oidc, host, isLoopbackOnly }).to.deep.equal({ oidc: expected, host: undefined, isLoopbackOnly: false });
    }
    expect(edgeConfig({ ...issuer, OIDC_SCOPE_CLAIM: 'groups' }, 1).oidc?.scopeClaim).to.equal('groups');
    expect(edgeConfig({ ...issuer, OIDC_TAG_CLAIM: 'sub' }, 1).oidc?.tagClaim).to.equal('sub');
    expect(edgeConfig({ ...issuer, OIDC_ISSUER: 'http://127.0.0.1:8080' }, 1).oidc).to.include({
      audience: 'palimpsest',
    });
    expect(probeConfig(issuer, 1).oidc).to.equal(null);
  });

  it('reads the client and the scopes of the console', () => {
    const issuer = { OIDC_ISSUER: 'https://login.example', OIDC_AUDIENCE: 'palimpsest' };
    const signIn = (changed: Record<string, string> = {}) =>
      edgeConfig({ ...issuer, OIDC_CONSOLE_CLIENT_ID: 'console', ...changed }, 1).oidc?.console;
    expect(edgeConfig(issuer, 1).oidc).to.not.have.property('console');
    expect(signIn()).to.deep.equal({ clientId: 'console', scopes: ['openid', ...SCOPE_NAMES] });
    expect(signIn({ OIDC_TAG_CLAIM: 'agent' })?.scopes).to.deep.equal(['openid', ...TAGGED_KEY_SCOPES]);
    expect(signIn({ OIDC_SCOPE_CLAIM: 'permissions' })?.scopes).to.deep.equal(['openid']);
    expect(signIn({ OIDC_CONSOLE_SCOPES: ' openid  api://memory/.default ' })?.scopes).to.deep.equal([
      'openid',
      'api://memory/.default',
    ]);
    for (const half of [{}, { OIDC_ISSUER: 'https://login.example' }, { OIDC_AUDIENCE: 'palimpsest' }])
      expect(() => edgeConfig({ ...half, OIDC_CONSOLE_CLIENT_ID: 'console' }, 1)).to.throw(
        ConfigurationError,
        'OIDC_CONSOLE_CLIENT_ID is a client of an issuer: set OIDC_ISSUER and OIDC_AUDIENCE too',
      );
  });

  it('rejects an issuer without an audience, or without https', () => {
    for (const half of [{ OIDC_ISSUER: 'https://login.example' }, { OIDC_AUDIENCE: 'palimpsest' }])
      expect(() => edgeConfig(half, 1)).to.throw(ConfigurationError, 'OIDC_ISSUER and OIDC_AUDIENCE belong together');
    for (const issuer of [
      'login.example',
      'http://login.example',
      'ftp://login.example',
      'https://a.example/?b',
      'https://',
    ])
      expect(() => edgeConfig({ OIDC_ISSUER: issuer, OIDC_AUDIENCE: 'a' }, 1), issuer).to.throw(
        ConfigurationError,
        `OIDC_ISSUER "${issuer}" is not the address of an issuer`,
      );
  });

  it('rejects a LISTEN_HOST that opens an API without a token', () => {
    for (const host of ['*', '0.0.0.0', '::', '10.0.0.7', 'memory.example'])
      expect(() => edgeConfig({ LISTEN_HOST: host }, 1), host).to.throw(ConfigurationError, 'ALLOW_ANONYMOUS=true');
    for (const host of ['localhost', '127.0.0.1', '::1'])
      expect(edgeConfig({ LISTEN_HOST: host }, 1)).to.include({ host, isLoopbackOnly: true });
    expect(edgeConfig({ LISTEN_HOST: '*', SERVICE_API_TOKEN: 'a' }, 1).host).to.equal(undefined);
  });

  it('opens probes without a token, and a bridge where LISTEN_HOST says', () => {
    expect(probeConfig({}, 1)).to.include({ host: undefined, isLoopbackOnly: false });
    expect(bridgeEdgeConfig({}, 1).host).to.equal('localhost');
    expect(bridgeEdgeConfig({ LISTEN_HOST: '*' }, 1).host).to.equal(undefined);
  });

  it('rejects a blank token', () => {
    for (const name of [
      'SERVICE_API_TOKEN',
      'AUTOMEM_API_TOKEN',
      'API_TOKENS',
      'ADMIN_API_TOKEN',
      'INTERNAL_API_TOKEN',
    ])
      for (const text of ['', '  '])
        expect(() => edgeConfig({ [name]: text, ALLOW_ANONYMOUS: 'true' }, 1), name).to.throw(
          ConfigurationError,
          `${name} is blank: remove it or set a token`,
        );
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
