import { expect } from 'chai';
import { createSignIn, type SignIn } from '../../../query-api/graph-views/sign-in.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { rejection } from '../../support/checks/rejection.js';
import { AUDIENCE, openTokenIssuer, type TokenIssuer } from '../../support/servers/token-issuer.js';

const REREAD_MS = 5_000;

describe('the sign-in of the console', () => {
  let issuer: TokenIssuer;
  let time = 0;
  let signIn: SignIn;
  const endpoints = () => ({
    authorization_endpoint: `${issuer.url}/auth`,
    token_endpoint: `${issuer.url}/token`,
  });
  const begin = () => {
    const console = { clientId: 'console', scopes: ['openid'] };
    const oidc = {
      issuer: issuer.url,
      audience: AUDIENCE,
      scopeClaim: 'scope',
      tagClaim: null,
      tenantClaim: null,
      console,
    };
    signIn = createSignIn({ oidc, logger: silentLogger, elapsed: () => time });
  };
  const publish = (discovery: object) => issuer.publish({ discovery: { ...endpoints(), ...discovery } });
  beforeEach(async () => {
    time = 0;
    issuer = await openTokenIssuer();
    publish({});
  });
  afterEach(() => issuer.stub.close());

  it('has the endpoints of the issuer, and their origin', async () => {
    publish({ code_challenge_methods_supported: ['S256'], authorization_response_iss_parameter_supported: true });
    begin();
    expect(await signIn.describe()).to.deep.equal({
      issuer: issuer.url,
      client_id: 'console',
      ...endpoints(),
      audience: AUDIENCE,
      scopes: ['openid'],
      answers_have_issuer: true,
    });
    expect(await signIn.tokenOrigin()).to.equal(issuer.url);
    expect(signIn.name).to.equal(new URL(issuer.url).host);
  });

  for (const [what, discovery] of [
    ['of another issuer', { issuer: 'https://other.example' }],
    ['without a token endpoint', { token_endpoint: undefined }],
    ['with a token endpoint by http', { token_endpoint: 'http://login.example/token' }],
    ['with an authorization endpoint that is a script', { authorization_endpoint: 'javascript:alert(1)' }],
    ['with a host that would change the policy', { token_endpoint: 'https://a;script-src/token' }],
    ['with every host', { token_endpoint: 'https://*/token' }],
    ['without S256', { code_challenge_methods_supported: ['plain'] }],
  ] as const)
    it(`refuses a discovery document ${what}`, async () => {
      publish(discovery);
      begin();
      const error = await rejection(signIn.describe());
      expect(error).to.be.instanceOf(DependencyError).and.include({ dependency: 'issuer', retryAfterSeconds: 5 });
      expect(await signIn.tokenOrigin()).to.equal(null);
    });

  it('reads again after five seconds, once for all callers', async () => {
    begin();
    for (const after of [0, REREAD_MS - 1, REREAD_MS]) {
      time = after;
      await Promise.all(Array.from({ length: 20 }, () => signIn.describe()));
    }
    expect(issuer.asked()).to.have.lengthOf(2);
  });

  it('fails while the issuer is away, and works after it', async () => {
    begin();
    await signIn.describe();
    publish({ issuer: 'https://other.example' });
    time += REREAD_MS;
    expect(await rejection(signIn.describe())).to.be.instanceOf(DependencyError);
    expect(await signIn.tokenOrigin()).to.equal(issuer.url);
    publish({});
    time += REREAD_MS;
    expect((await signIn.describe()).token_endpoint).to.equal(`${issuer.url}/token`);
  });

  it('lets the page wait a second for an issuer that hangs', async () => {
    issuer.stub.respondWith(() => undefined);
    begin();
    expect(await signIn.tokenOrigin()).to.equal(null);
  });
});
