/** The MCP SDK's client gets its token by itself: from the 401 of /mcp over the metadata to the issuer, and back. */
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationFull, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { expect } from 'chai';
import { OIDC_LIMITS } from '../../../shared/http/oidc.js';
import { MCP_SCOPES } from '../../../shared/http/resource-metadata.js';
import { rejection } from '../../support/checks/rejection.js';
import { connectTo, openHttpBridge, REVISIONS } from '../../support/clients/mcp.js';
import { type Service, startService } from '../../support/processes/service.js';
import { type OidcProvider, openOidcProvider, TOKEN_SECONDS, USER } from '../../support/servers/oidc-provider.js';

const REDIRECT = 'http://127.0.0.1/callback';
const PAGES_LIMIT = 10;

/** A client that registers itself and keeps everything in memory. */
type Agent = OAuthClientProvider & { readonly askedAt: () => URL };

function newAgent(): Agent {
  let registered: OAuthClientInformationFull | undefined;
  let tokens: OAuthTokens | undefined;
  let verifier = '';
  let asked: URL | undefined;
  return {
    redirectUrl: REDIRECT,
    clientMetadata: {
      client_name: 'agent',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    } as OAuthClientProvider['clientMetadata'],
    clientInformation: () => registered,
    saveClientInformation: (given) => {
      registered = given as OAuthClientInformationFull;
    },
    tokens: () => tokens,
    saveTokens: (given) => {
      tokens = given;
    },
    redirectToAuthorization: (url) => {
      asked = url;
    },
    saveCodeVerifier: (given) => {
      verifier = given;
    },
    codeVerifier: () => verifier,
    askedAt: () => {
      if (asked === undefined) throw new Error('The client did not ask its user');
      return asked;
    },
  };
}

/** What the browser of the user does: follows the redirects of the issuer. Returns the code. */
async function consent(begin: URL): Promise<string> {
  const cookies = new Map<string, string>();
  let next = begin;
  for (let pages = 0; pages < PAGES_LIMIT && !next.href.startsWith(REDIRECT); pages += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(next, { redirect: 'manual', headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/u.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`The issuer answered ${answer.status}: ${await answer.text()}`);
    next = new URL(location, next);
  }
  const code = next.searchParams.get('code');
  if (code === null) throw new Error(`The issuer refused: ${next.search}`);
  return code;
}

const AUDIENCE = 'palimpsest';

describe('MCP with OAuth', () => {
  let provider: OidcProvider;
  let service: Service;
  let mcpUrl: string;
  let laterMs = 0;
  before(async () => {
    provider = await openOidcProvider(AUDIENCE);
    service = await startService({
      variables: { MCP_ENABLED: 'true', OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: AUDIENCE },
      clock: { now: () => new Date(Date.now() + laterMs) },
    });
    mcpUrl = `${service.url}/mcp`;
  });
  after(async () => {
    await service.close();
    await provider.close();
  });

  const tokenWith = (scopes: readonly string[]) => provider.token({ resource: mcpUrl, scopes });
  const post = (token: string | null, method: string, params: object = {}, url = mcpUrl) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(token !== null && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
  const callTool = (token: string, name: string, given: object) =>
    post(token, 'tools/call', { name, arguments: given });

  it('lets a client find the issuer, ask its user and call a tool', async () => {
    const agent = newAgent();
    const first = new StreamableHTTPClientTransport(new URL(mcpUrl), { authProvider: agent });
    const info = { name: 'agent', version: '1' };
    expect(await rejection(new Client(info).connect(first))).to.be.instanceOf(UnauthorizedError);
    expect(agent.askedAt().searchParams.get('scope')?.split(' ')).to.deep.equal(MCP_SCOPES);
    expect(agent.askedAt().searchParams.get('resource')).to.equal(mcpUrl);
    await first.finishAuth(await consent(agent.askedAt()));
    const client = new Client(info);
    await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl), { authProvider: agent }));
    const stored = await client.callTool({ name: 'store_memory', arguments: { content: 'The lantern hangs' } });
    expect(stored.isError).to.not.equal(true);
    const found = await client.callTool({ name: 'recall_memory', arguments: { query: 'lantern' } });
    expect(JSON.stringify(found.content)).to.include('The lantern hangs');
    await client.close();
    const headers = { authorization: `Bearer ${await tokenWith(['events:read'])}` };
    const { body } = await service.request('GET', '/events?type=memory.stored', { headers });
    expect(JSON.stringify(body.events)).to.include(`"${USER}"`);
  });

  it('answers a call beyond its scopes with 403 and the scopes to ask for', async () => {
    const token = await tokenWith(['memories:read']);
    expect((await callTool(token, 'recall_memory', { query: 'lantern' })).status).to.equal(200);
    const refused = await callTool(token, 'store_memory', { content: 'The lantern hangs' });
    expect(refused.status).to.equal(403);
    expect(refused.headers.get('www-authenticate')).to.equal(
      'Bearer realm="palimpsest", error="insufficient_scope", scope="memories:read memories:write", ' +
        `resource_metadata="${service.url}/.well-known/oauth-protected-resource/mcp"`,
    );
    const streamed = await post(token, 'tools/call', {
      name: 'store_memory',
      arguments: { content: 'The lantern hangs' },
      _meta: { progressToken: 1 },
    });
    expect(streamed.status).to.equal(200);
    expect(await streamed.text()).to.include('lacks the scope memories:write');
  });

  for (const revision of REVISIONS)
    it(`refuses such a call in revision ${revision}`, async () => {
      const client = await connectTo(
        mcpUrl,
        { authorization: `Bearer ${await tokenWith(['memories:read'])}` },
        revision,
      );
      const call = (name: string, given: object) => client.callTool({ name, arguments: { ...given } });
      const error = await rejection(call('store_memory', { content: 'The lantern hangs' }));
      expect(error.message).to.include('Insufficient scope: required "memories:read memories:write"');
      expect((await call('recall_memory', { query: 'lantern' })).isError).to.not.equal(true);
      await client.close();
    });

  it('answers each request with a token that expired with 401', async () => {
    const token = await tokenWith(['memories:read']);
    expect((await post(token, 'tools/list')).status).to.equal(200);
    laterMs = (TOKEN_SECONDS + OIDC_LIMITS.clockSkewSeconds) * 1_000;
    const refused = await post(token, 'tools/list').finally(() => {
      laterMs = 0;
    });
    expect(refused.status).to.equal(401);
    expect(refused.headers.get('www-authenticate')).to.include('error="invalid_token"').and.include('scope="memories:');
  });

  it('works through a bridge of its own, which refuses callers without a token', async () => {
    const variables = { OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: AUDIENCE, MCP_ALLOW_ANONYMOUS: 'true' };
    const bridge = await openHttpBridge({ url: service.url, variables });
    try {
      const refused = await post(null, 'tools/list', {}, bridge.mcpUrl);
      const metadata = `${bridge.url}/.well-known/oauth-protected-resource/mcp`;
      expect(refused.status).to.equal(401);
      expect(refused.headers.get('www-authenticate')).to.equal(
        `Bearer realm="palimpsest", scope="${MCP_SCOPES.join(' ')}", resource_metadata="${metadata}"`,
      );
      expect(await (await fetch(metadata)).json()).to.deep.equal({
        resource: bridge.mcpUrl,
        authorization_servers: [provider.issuer],
        scopes_supported: MCP_SCOPES,
        bearer_methods_supported: ['header'],
      });
      expect((await post(await tokenWith(['memories:read']), 'tools/list', {}, bridge.mcpUrl)).status).to.equal(200);
      expect((await post(`${await tokenWith([])}x`, 'tools/list', {}, bridge.mcpUrl)).status).to.equal(401);
    } finally {
      await bridge.close();
    }
  });
});
