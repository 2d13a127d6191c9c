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

/** A public client for the console of a service on a port of this machine. */
export const CONSOLE_CLIENT = 'console';

/** What the issuer does with its users. A test may change it. */
export type OidcRules = {
  /** Why it refuses to sign in; null signs in. */
  refusal: { readonly error: string; readonly error_description: string } | null;
  /** The scopes that users may have, of those that a client asks for. */
  scopes: readonly string[];
  tokenSeconds: number;
  /** Whether the console gets a refresh token. */
  hasRefreshTokens: boolean;
};

export type OidcProvider = {
  readonly issuer: string;
  readonly rules: OidcRules;
  /** By client credentials, of the client `agent`. */
  readonly token: (request: { readonly resource: string; readonly scopes: readonly string[] }) => Promise<string>;
  /** The requests to the authorization endpoint, in their order. */
  readonly asked: readonly URLSearchParams[];
  /** The grants for which clients asked the token endpoint. */
  readonly grants: () => number;
  readonly close: () => Promise<void>;
};

/** `audience`: of the tokens. Default: the resource that the client names. */
export async function openOidcProvider(audience?: string): Promise<OidcProvider> {
  const asked: URLSearchParams[] = [];
  let grants = 0;
  const rules: OidcRules = { refusal: null, scopes: SCOPE_NAMES, tokenSeconds: TOKEN_SECONDS, hasRefreshTokens: true };
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an `AddressInfo`.
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = await createProvider(issuer, audience, rules);
  const answer = provider.callback();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '', issuer);
    if (url.pathname === '/login') {
      const outcome = rules.refusal ?? { login: { accountId: USER }, consent: {} };
      return void provider.interactionFinished(request, response, outcome);
    }
    if (url.pathname === '/auth') asked.push(url.searchParams);
    if (url.pathname === '/token' && request.method === 'POST') grants += 1;
    answer(request, response);
  });
  return {
    issuer,
    rules,
    asked,
    grants: () => grants,
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
type Client = { readonly clientId: string };
type Grant = {
  readonly addOIDCScope: (scope: string) => void;
  readonly addResourceScope: (resource: string, scope: string) => void;
  readonly rejectResourceScope: (resource: string, scope: string) => void;
  readonly save: () => Promise<string>;
};
type Context = {
  readonly oidc: {
    readonly client: Client;
    readonly session: { readonly accountId: string };
    readonly params: { readonly resource: string; readonly scope: string };
    readonly provider: { readonly Grant: new (of: object) => Grant };
  };
};

const TTL_KINDS = ['ClientCredentials', 'Grant', 'IdToken', 'Interaction', 'RefreshToken', 'Session'];

async function createProvider(issuer: string, audience: string | undefined, rules: OidcRules): Promise<Provider> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid: 'provider-1', alg: 'ES256', use: 'sig' };
  const agent = { client_id: 'agent', client_secret: 'secret', redirect_uris: [], response_types: [] };
  const browser = {
    client_id: CONSOLE_CLIENT,
    token_endpoint_auth_method: 'none',
    application_type: 'native', // the port of a redirect to this machine does not count
    redirect_uris: ['http://127.0.0.1/console/', 'http://localhost/console/'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
  const signing = { id_token_signed_response_alg: 'ES256' };
  const configuration = {
    jwks: { keys: [jwk] },
    clients: [
      { ...agent, ...signing, grant_types: ['client_credentials'] },
      { ...browser, ...signing },
    ],
    clientBasedCORS: (_: unknown, __: string, { clientId }: Client) => clientId === CONSOLE_CLIENT,
    issueRefreshToken: (_: unknown, { clientId }: Client) => clientId === CONSOLE_CLIENT && rules.hasRefreshTokens,
    clientDefaults: signing,
    cookies: { keys: ['signs cookies'] },
    ttl: {
      ...Object.fromEntries(TTL_KINDS.map((name) => [name, TOKEN_SECONDS])),
      AccessToken: () => rules.tokenSeconds,
    },
    interactions: { url: () => '/login' },
    findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
    loadExistingGrant: (context: Context) => grant(context, rules),
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

/** The user consents to all that the client asks for; the rules may give less. */
async function grant({ oidc }: Context, { scopes }: OidcRules): Promise<Grant> {
  const made = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
  made.addOIDCScope(oidc.params.scope);
  for (const scope of oidc.params.scope.split(' '))
    if (scopes.includes(scope)) made.addResourceScope(oidc.params.resource, scope);
    else made.rejectResourceScope(oidc.params.resource, scope);
  await made.save();
  return made;
}
