/** What the console gets for its sign-in: the page with its policy, and the document with the endpoints. */
import { expect } from 'chai';
import { SCOPE_NAMES } from '../../../shared/contract/scopes.js';
import { ALL_FRONTS, GATEWAYS_NOTE } from '../../support/adapters/gateways.js';
import { type Service, startService } from '../../support/processes/service.js';
import { CONSOLE_CLIENT, type OidcProvider, openOidcProvider } from '../../support/servers/oidc-provider.js';
import { openTokenIssuer, type TokenIssuer } from '../../support/servers/token-issuer.js';

const policyWith = (origins: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self'; connect-src ${origins}; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
const variablesOf = (issuer: string) => ({
  OIDC_ISSUER: issuer,
  OIDC_AUDIENCE: 'https://memory.example/mcp',
  OIDC_CONSOLE_CLIENT_ID: CONSOLE_CLIENT,
});
const read = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(url, { headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

describe(`console/sign-in.json${GATEWAYS_NOTE}`, () => {
  let provider: OidcProvider;
  let service: Service;
  before(async () => {
    provider = await openOidcProvider();
    service = await startService({ variables: variablesOf(provider.issuer) });
  });
  after(async () => {
    await service.close();
    await provider.close();
  });

  for (const front of ALL_FRONTS)
    it(`names the issuer, its endpoints and the client ${front.name}`, async () => {
      const { url, close } = await front.open(service.url);
      const answer = await read(`${url}/console/sign-in.json`);
      await close();
      expect([answer.status, answer.headers.get('cache-control')]).to.deep.equal([200, 'no-store']);
      expect(JSON.parse(answer.text)).to.deep.equal({
        issuer: provider.issuer,
        client_id: CONSOLE_CLIENT,
        authorization_endpoint: `${provider.issuer}/auth`,
        token_endpoint: `${provider.issuer}/token`,
        audience: 'https://memory.example/mcp',
        scopes: ['openid', ...SCOPE_NAMES],
        answers_have_issuer: true,
      });
    });

  it('lets the page connect to the token endpoint alone', async () => {
    for (const path of ['/console/', '/console/index.html', '/console/?code=a&state=b']) {
      const page = await read(`${service.url}${path}`);
      expect(page.headers.get('content-security-policy')).to.equal(policyWith(`'self' ${provider.issuer}`));
      expect(page.text).to.include(`data-issuer="${new URL(provider.issuer).host}"`);
    }
    const docs = await read(`${service.url}/docs/`);
    expect(docs.headers.get('content-security-policy')).to.include("connect-src 'self';");
  });

  it('is 404 without a client, and while the console is off', async () => {
    const { OIDC_CONSOLE_CLIENT_ID: _, ...issuer } = variablesOf(provider.issuer);
    for (const variables of [issuer, { ...variablesOf(provider.issuer), CONSOLE_ENABLED: 'false' }]) {
      const other = await startService({ variables });
      expect((await other.request('GET', '/console/sign-in.json')).status).to.equal(404);
      const page = await read(`${other.url}/console/`);
      expect(page.text).to.not.include('data-issuer');
      await other.close();
    }
  });
});

describe('the console before its issuer answers', () => {
  let issuer: TokenIssuer;
  let service: Service;
  before(async () => {
    issuer = await openTokenIssuer(); // without endpoints
    service = await startService({ variables: variablesOf(issuer.url) });
  });
  after(async () => {
    await service.close();
    await issuer.stub.close();
  });

  it('has a policy and an ETag without the issuer', async () => {
    const page = await read(`${service.url}/console/`);
    expect([page.status, page.headers.get('content-security-policy')]).to.deep.equal([200, policyWith("'self'")]);
    expect(page.text).to.include(`data-issuer="${new URL(issuer.url).host}"`);
    const etag = page.headers.get('etag') ?? '';
    expect((await read(`${service.url}/console/`, { 'if-none-match': etag })).status).to.equal(304);

    const other = await openOidcProvider();
    const known = await startService({ variables: variablesOf(other.issuer) });
    expect((await read(`${known.url}/console/`)).headers.get('etag')).to.not.equal(etag);
    await known.close();
    await other.close();
  });

  it('answers 503 to a sign-in, with the reason', async () => {
    const answer = await service.request('GET', '/console/sign-in.json');
    expect(answer.status).to.equal(503);
    expect(answer.body.message).to.include('signing in is not possible');
    expect(answer.headers.get('retry-after')).to.equal('5');
  });
});
