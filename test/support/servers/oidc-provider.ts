/**
 * A real issuer of tokens, `oidc-provider`: dynamic registration, the authorization code flow with PKCE, client
 * credentials, and access tokens as JWT for the resource that a client names. It logs every user in without a page.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { SCOPE_NAMES } from '../../../shared/contract/scopes.js';

export const USER = 'anna';
/** How long an access token works. */
export const TOKEN_SECONDS = 300;

export type OidcProvider = {
  readonly issuer: string;
  /** By client credentials, of the client `agent`. */
  readonly token: (request: { readonly resource: string; readonly scopes: readonly string[] }) => Promise<string>;
  /** The scopes that users were asked for, in the order of the requests. */
  readonly askedScopes: readonly string[];
  readonly close: () => Promise<void>;
};

/** `audience`: of the tokens. Default: the resource that the client names. */
export async function openOidcProvider(audience?: string): Promise<OidcProvider> {
  const askedScopes: string[] = [];
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an `AddressInfo`.
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = await createProvider(issuer, audience);
  const answer = provider.callback();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '', issuer);
    if (url.pathname === '/login')
      return void provider.interactionFinished(request, response, { login: { accountId: USER }, consent: {} });
    if (url.pathname === '/auth') askedScopes.push(url.searchParams.get('scope') ?? '');
    answer(request, response);
  });
  return {
    issuer,
    askedScopes,
    token: async ({ resource, scopes }) => {
      const body = new URLSearchParams({ grant_type: 'client_credentials', scope: scopes.join(' '), resource });
      const headers = { authorization: `Basic ${btoa('agent:secret')}` };
      const reply = await fetch(`${issuer}/token`, { method: 'POST', headers, body });
      if (reply.status !== 200) throw new Error(`No token: ${await reply.text()}`);
      return ((await reply.json()) as { readonly access_token: string }).access_token;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

// The package has no types: these are the parts that are used here.
type Provider = {
  readonly callback: () => (request: IncomingMessage, response: ServerResponse) => void;
  readonly interactionFinished: (...given: readonly [IncomingMessage, ServerResponse, object]) => Promise<void>;
};
type Grant = {
  readonly addOIDCScope: (scope: string) => void;
  readonly addResourceScope: (resource: string, scope: string) => void;
  readonly save: () => Promise<string>;
};
type Context = {
  readonly oidc: {
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
    readonly params: { readonly resource: string; readonly scope: string };
    readonly provider: { readonly Grant: new (of: object) => Grant };
  };
};

const TTL_KINDS = ['AccessToken', 'ClientCredentials', 'Grant', 'Interaction', 'Session'];

async function createProvider(issuer: string, audience: string | undefined): Promise<Provider> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid: 'provider-1', alg: 'ES256', use: 'sig' };
  const agent = { client_id: 'agent', client_secret: 'secret', redirect_uris: [], response_types: [] };
  const signing = { id_token_signed_response_alg: 'ES256' };
  const configuration = {
    jwks: { keys: [jwk] },
    clients: [{ ...agent, ...signing, grant_types: ['client_credentials'] }],
    clientDefaults: signing,
    cookies: { keys: ['signs cookies'] },
    ttl: Object.fromEntries(TTL_KINDS.map((name) => [name, TOKEN_SECONDS])),
    interactions: { url: () => '/login' },
    findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
    loadExistingGrant: grantAll,
    // A token of an agent has no user.
    extraTokenClaims: (_: unknown, { accountId }: { readonly accountId?: string }) => ({
      preferred_username: accountId,
    }),
    scopes: SCOPE_NAMES,
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => undefined,
        useGrantedResource: () => true,
        getResourceServerInfo: (_: unknown, resource: string) => ({
          scope: SCOPE_NAMES.join(' '),
          audience: audience ?? resource,
          accessTokenFormat: 'jwt',
          accessTokenTTL: TOKEN_SECONDS,
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  };
  const { info, warn } = console;
  Object.assign(console, { info: () => undefined, warn: () => undefined }); // it warns that it keeps all in memory
  try {
    // @ts-expect-error It has no types.
    const { Provider: create } = (await import('oidc-provider')) as {
      readonly Provider: new (issuer: string, configuration: object) => Provider;
    };
    return new create(issuer, configuration);
  } finally {
    Object.assign(console, { info, warn });
  }
}

/** The user consents to what the client asks for. */
async function grantAll({ oidc }: Context): Promise<Grant> {
  const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
  grant.addOIDCScope(oidc.params.scope);
  grant.addResourceScope(oidc.params.resource, oidc.params.scope);
  await grant.save();
  return grant;
}
