/** The metadata with which clients find the issuer of tokens, by the API itself and behind both gateways. */
import { expect } from 'chai';
import { SCOPE_NAMES } from '../../../shared/contract/scopes.js';
import { GATEWAYS, GATEWAYS_NOTE } from '../../support/adapters/gateways.js';
import { type Edge, openEdge } from '../../support/processes/http-edge.js';
import { AUDIENCE, openTokenIssuer, type TokenIssuer } from '../../support/servers/token-issuer.js';

const PATH = '/.well-known/oauth-protected-resource';
const TOKENS = { api: [{ name: null, token: 'a.b.c' }], admin: null, internal: null };

describe(`resource metadata${GATEWAYS_NOTE}`, () => {
  let issuer: TokenIssuer;
  let edge: Edge;
  before(async () => {
    issuer = await openTokenIssuer();
    edge = await openEdge({
      oidc: { issuer: issuer.url, audience: AUDIENCE, scopeClaim: 'scope', tagClaim: null, tenantClaim: null },
      tokens: TOKENS,
    });
  });
  after(async () => {
    await edge.close();
    await issuer.stub.close();
  });

  it('names the issuer and all scopes, and those of MCP for MCP', async () => {
    const shared = { resource: AUDIENCE, authorization_servers: [issuer.url], bearer_methods_supported: ['header'] };
    const answer = await edge.get(PATH, { origin: 'https://page.example' });
    expect(answer.headers.get('access-control-allow-origin')).to.equal('*');
    expect(await answer.json()).to.deep.equal({ ...shared, scopes_supported: SCOPE_NAMES });
    const ofMcp = ['memories:read', 'memories:write', 'memories:delete', 'graph:read'];
    expect(await (await edge.get(`${PATH}/mcp`)).json()).to.deep.equal({ ...shared, scopes_supported: ofMcp });
  });

  it('is read with GET alone, and has no other paths', async () => {
    expect((await edge.post(PATH, {})).status).to.equal(405);
    expect((await fetch(edge.url + PATH, { method: 'HEAD' })).status).to.equal(200);
    expect((await edge.get(`${PATH}/other`)).status).to.equal(401);
  });

  it('has the address of the request when the audience is none', async () => {
    const named = await openEdge({
      oidc: { issuer: issuer.url, audience: 'palimpsest', scopeClaim: 'scope', tagClaim: null, tenantClaim: null },
    });
    try {
      expect(await (await named.get(`${PATH}/mcp`)).json()).to.include({ resource: `${named.url}/mcp` });
      const challenge = (await named.get('/recall')).headers.get('www-authenticate');
      expect(challenge).to.equal(`Bearer realm="palimpsest", resource_metadata="${named.url}${PATH}"`);
    } finally {
      await named.close();
    }
  });

  it('is absent without an issuer, and then no challenge names it', async () => {
    const without = await openEdge({ tokens: TOKENS });
    try {
      for (const path of [PATH, `${PATH}/mcp`]) {
        const answer = await without.get(path);
        expect(answer.status).to.equal(404);
        expect(await answer.json()).to.include({ status: 'error', code: 404 });
      }
      expect((await without.get('/recall')).headers.get('www-authenticate')).to.equal('Bearer realm="palimpsest"');
    } finally {
      await without.close();
    }
  });

  it('leaves tokens of the environment in the form of a JWT', async () => {
    const statusOf = async (token: string) => (await edge.get('/recall', { authorization: `Bearer ${token}` })).status;
    expect([await statusOf('a.b.c'), await statusOf('a.b.d')]).to.deep.equal([200, 401]);
    expect(await statusOf(await issuer.token())).to.equal(200);
  });

  it('comes with 503 for a token that cannot be checked', async () => {
    issuer.stub.respondWith((_, response) => response.writeHead(500).end());
    const cut = await openEdge({
      oidc: { issuer: issuer.url, audience: AUDIENCE, scopeClaim: 'scope', tagClaim: null, tenantClaim: null },
    });
    try {
      const answer = await cut.get('/recall', { authorization: `Bearer ${await issuer.token()}` });
      expect(answer.status).to.equal(503);
      expect(Number(answer.headers.get('retry-after'))).to.be.within(1, 30);
      expect(await answer.text()).to.include('The issuer of the token does not give its keys');
      expect((await cut.get(PATH)).status).to.equal(200);
    } finally {
      await cut.close();
      issuer.publish();
    }
  });

  for (const adapter of GATEWAYS)
    it(`passes through the gateway, ${adapter.name}`, async () => {
      const gateway = await adapter.open({ instances: { command: [edge.url], query: [edge.url] } });
      try {
        for (const path of [PATH, `${PATH}/mcp`]) {
          const answer = await fetch(gateway.url + path);
          expect(await answer.json(), path).to.include({ resource: AUDIENCE });
        }
        const refused = await fetch(`${gateway.url}/recall`);
        expect(refused.headers.get('www-authenticate')).to.include(`resource_metadata="https://memory.example${PATH}"`);
      } finally {
        await gateway.close();
      }
    });
});
