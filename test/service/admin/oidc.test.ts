/** Tokens of a real OpenID Connect issuer at a service that has no token of its own. */
import { expect } from 'chai';
import { OIDC_LIMITS } from '../../../shared/http/oidc.js';
import { type Service, startService } from '../../support/processes/service.js';
import { type OidcProvider, openOidcProvider, TOKEN_SECONDS } from '../../support/servers/oidc-provider.js';
import { AUDIENCE as OWN_AUDIENCE, openTokenIssuer, type TokenIssuer } from '../../support/servers/token-issuer.js';

const AUDIENCE = 'https://memory.example';

describe('tokens of an issuer', () => {
  let provider: OidcProvider;
  let service: Service;
  let laterMs = 0;
  before(async () => {
    provider = await openOidcProvider();
    service = await startService({
      variables: { OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: AUDIENCE, ADMIN_API_TOKEN: 'admin-token' },
      clock: { now: () => new Date(Date.now() + laterMs) },
    });
  });
  after(async () => {
    await service.close();
    await provider.close();
  });

  const as = async (scopes: readonly string[], resource = AUDIENCE) => ({
    Authorization: `Bearer ${await provider.token({ resource, scopes })}`,
  });
  const send = (method: string, path: string, headers: Record<string, string> = {}, body?: object) =>
    service.request(method, path, { headers, ...(body && { body }) });

  it('close an API that has no other token', async () => {
    const refused = await fetch(`${service.url}/recall?query=lantern`);
    expect(refused.status).to.equal(401);
    expect(refused.headers.get('www-authenticate')).to.equal(
      `Bearer realm="palimpsest", resource_metadata="${AUDIENCE}/.well-known/oauth-protected-resource"`,
    );
    expect((await send('GET', '/health')).status).to.equal(200);
    expect((await send('GET', '/admin/keys', { 'X-Admin-Token': 'admin-token' })).status).to.equal(401);
  });

  it('open what their scopes name, and name their events', async () => {
    const headers = await as(['memories:read', 'memories:write', 'events:read']);
    const stored = await send('POST', '/memory', headers, { content: 'The lantern hangs in the hall' });
    expect(stored.status).to.equal(201);
    const found = await send('GET', '/recall?query=lantern', headers);
    expect(found.body.results[0].memory.content).to.equal('The lantern hangs in the hall');
    const history = await send('GET', `/memory/${stored.body.memory_id}/history`, headers);
    expect(history.body.versions[0].actor).to.include({ name: 'agent', tier: 'api' });
  });

  it('are refused beyond their scopes, with the scope that is missing', async () => {
    const token = await as(['memories:read']);
    const refused = await fetch(`${service.url}/memory`, {
      method: 'POST',
      headers: { ...token, 'content-type': 'application/json' },
      body: '{"content": "The lantern hangs"}',
    });
    expect(refused.status).to.equal(403);
    expect(await refused.json()).to.include({ error: "The token of 'agent' lacks the scope memories:write" });
    expect(refused.headers.get('www-authenticate')).to.match(
      /^Bearer .*error="insufficient_scope", scope="memories:read memories:write", resource_metadata="/u,
    );
  });

  it('are refused for another audience, and outside of Authorization', async () => {
    const other = await as(['memories:read'], 'https://other.example');
    const refused = await fetch(`${service.url}/recall?query=lantern`, { headers: other });
    expect(refused.status).to.equal(401);
    expect(await refused.json()).to.include({ detail: 'The token has the wrong audience.' });
    expect(refused.headers.get('www-authenticate')).to.include('error="invalid_token"');
    const { Authorization } = await as(['memories:read']);
    const token = Authorization.slice('Bearer '.length);
    expect((await send('GET', `/recall?query=lantern&api_key=${token}`)).status).to.equal(401);
    expect((await send('GET', '/recall?query=lantern', { 'X-API-Key': token })).status).to.equal(401);
    expect((await send('GET', '/recall?query=lantern', { Authorization })).status).to.equal(200);
  });

  it('make keys with their own scopes, without the admin token', async () => {
    const headers = await as(['admin:keys', 'memories:read']);
    const make = (name: string, scopes: readonly string[]) => send('POST', '/admin/keys', headers, { name, scopes });
    const { status, body } = await make('reader', ['memories:read']);
    expect(status).to.equal(201);
    expect((await make('writer', ['memories:write'])).status).to.equal(403);
    const asKey = { Authorization: `Bearer ${body.secret}` };
    expect((await send('GET', '/recall?query=lantern', asKey)).status).to.equal(200);
  });

  it('end their streams when they expire', async () => {
    const headers = await as(['events:read']);
    const stream = await fetch(`${service.url}/stream`, { headers });
    expect(stream.status).to.equal(200);
    laterMs = (TOKEN_SECONDS + OIDC_LIMITS.clockSkewSeconds) * 1_000;
    const outcome = await stream.text().then(
      () => 'ended',
      () => 'cut',
    );
    expect(outcome).to.equal('cut');
    expect((await send('GET', '/events', headers)).status).to.equal(401);
  });
});

describe('tokens with a tag in a claim', () => {
  let issuer: TokenIssuer;
  let service: Service;
  before(async () => {
    issuer = await openTokenIssuer();
    service = await startService({
      variables: { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: OWN_AUDIENCE, OIDC_TAG_CLAIM: 'agent' },
    });
  });
  after(async () => {
    await service.close();
    await issuer.stub.close();
  });

  const scope = 'memories:read memories:write events:read';
  const send = async (agent: string | undefined, method: string, path: string, body?: object) =>
    service.request(method, path, {
      headers: { Authorization: `Bearer ${await issuer.token({ agent, scope })}` },
      ...(body && { body }),
    });

  it('see and change the memories of their tag alone', async () => {
    const { status, body } = await send('agent:anna', 'POST', '/memory', { content: 'The lantern hangs in the hall' });
    expect(status).to.equal(201);
    const recall = '/recall?query=lantern';
    const own = await send('agent:anna', 'GET', recall);
    expect(own.body.results.map(({ id }: { readonly id: string }) => id)).to.deep.equal([body.memory_id]);
    expect(own.body.results[0].memory.tags).to.deep.equal(['agent:anna']);
    expect((await send('agent:bob', 'GET', recall)).body.results).to.deep.equal([]);
    expect((await send('agent:bob', 'GET', `/memory/${body.memory_id}`)).status).to.equal(404);
    expect((await send('agent:bob', 'PATCH', `/memory/${body.memory_id}`, { importance: 1 })).status).to.equal(404);
  });

  it('are refused without it, and for what shows all memories', async () => {
    const refused = await send(undefined, 'GET', '/recall?query=lantern');
    expect(refused).to.include({ status: 401 });
    expect(refused.body.detail).to.equal('The token has no claim agent.');
    const events = await send('agent:anna', 'GET', '/events');
    expect(events).to.include({ status: 403 });
    expect(events.body.hint).to.include('A token with a tag has no other scopes');
  });
});
