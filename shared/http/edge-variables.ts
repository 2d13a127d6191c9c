/** The variables of the HTTP edge and its tokens. */
import { SCOPE_NAMES, TAGGED_KEY_SCOPES } from '../contract/scopes.js';
import { ConfigurationError, type Environment, readVariables, type Variable } from '../kernel/config/config.js';
import { LOG_LEVELS } from '../kernel/pino-logger.js';
import type { NamedToken, Tokens } from './auth.js';
import { HOW_TO_OPEN, isLoopbackName, LOOPBACK } from './loopback.js';
import type { OidcConfig } from './oidc.js';
import { isSafeAddress } from './oidc-discovery.js';

export const internalTokenVariable = {
  name: 'INTERNAL_API_TOKEN',
  kind: 'secret',
  description:
    'The token that the processes of the distributed composition send each other; the same for all of them. Without it internal operations answer 403.',
} as const satisfies Variable;

const DEFAULT_SCOPE_CLAIM = 'scope';
const oidcVariables = [
  {
    name: 'OIDC_ISSUER',
    kind: 'text',
    description:
      'The OpenID Connect issuer whose tokens (JWT) are accepted too, as it names itself: `https:`, or `http:` on this machine. Callers without a token are then refused.',
  },
  {
    name: 'OIDC_AUDIENCE',
    kind: 'text',
    description:
      'The audience (`aud`) that these tokens must name, best the public address of MCP. Set with OIDC_ISSUER, also for the MCP bridge.',
  },
  {
    name: 'OIDC_SCOPE_CLAIM',
    kind: 'text',
    default: DEFAULT_SCOPE_CLAIM,
    description:
      'The claim of these tokens with their scopes: a text with spaces, or a list. For example `permissions` or `groups`.',
  },
  {
    name: 'OIDC_TAG_CLAIM',
    kind: 'text',
    description:
      'The claim of these tokens with a tag, to which each of them is restricted as a key with a tag is. A token without it is then refused. Default: none, and tokens see all memories.',
  },
  {
    name: 'OIDC_TENANT_CLAIM',
    kind: 'text',
    description:
      'The claim of these tokens with the name of their tenant; `default` is the default one. A token without it, or with another name, is then refused. Default: none, and all tokens belong to the default tenant.',
  },
  {
    name: 'OIDC_CONSOLE_CLIENT_ID',
    kind: 'text',
    description:
      'The public client with which the console signs its users in at the issuer. Needs OIDC_ISSUER and OIDC_AUDIENCE. Unset: the console takes tokens alone.',
  },
  {
    name: 'OIDC_CONSOLE_SCOPES',
    kind: 'text',
    description:
      'What the console asks the issuer for, separated by spaces. Unset: `openid` and each scope of ours; those of memories alone with OIDC_TAG_CLAIM, and `openid` alone with another OIDC_SCOPE_CLAIM than `scope`.',
  },
] as const satisfies readonly Variable[];

export const edgeVariables = [
  {
    name: 'PORT',
    kind: 'integer',
    minimum: 0,
    maximum: 65_535,
    description:
      'The port it listens on; 0 takes a free one. Unset: 8001; as separate processes the command API 8011, the query API 8012, the projectors 8013, the relay 8014; the MCP bridge 8080.',
  },
  {
    name: 'LISTEN_HOST',
    kind: 'text',
    description:
      'The address it listens on, `localhost` for this machine alone, `*` for every address. Unset: every address, but `localhost` for an API without a token.',
  },
  {
    name: 'SERVICE_API_TOKEN',
    aliases: ['AUTOMEM_API_TOKEN'],
    kind: 'secret',
    description:
      'The API token. Without one, and without API_TOKENS and OIDC_ISSUER, the API answers callers on this machine alone, and no web page of another one.',
  },
  {
    name: 'API_TOKENS',
    kind: 'secret',
    description: 'More API tokens, `name:token,name:token`; the journal records the name with every event.',
  },
  {
    name: 'ALLOW_ANONYMOUS',
    kind: 'flag',
    default: 'false',
    description: 'Opens an API without a token to every caller that reaches it, web pages included.',
  },
  { name: 'ADMIN_API_TOKEN', kind: 'secret', description: 'The admin token; without one admin routes answer 403.' },
  internalTokenVariable,
  ...oidcVariables,
  {
    name: 'VIEWER_ALLOWED_ORIGINS',
    kind: 'list',
    default: '*',
    description: 'Origins that browsers may call from. Without a token `*` allows the origins of this machine alone.',
  },
  {
    name: 'LOG_LEVEL',
    kind: 'choice',
    choices: LOG_LEVELS,
    default: 'info',
    description: 'The least important lines that are logged.',
  },
  {
    name: 'METRICS_PORT',
    kind: 'integer',
    minimum: 0,
    maximum: 65_535,
    description:
      'The port of `GET /metrics` of this process, in the text format of Prometheus; 0 takes a free one. Unset: no metrics. Each process on a machine needs its own. The MCP bridge has one with `--http`.',
  },
  {
    name: 'METRICS_HOST',
    kind: 'text',
    default: 'localhost',
    description:
      'The address of that port: `localhost` for this machine alone, `*` for every address. It asks for no token.',
  },
  {
    name: 'STOP_DEADLINE_MS',
    kind: 'integer',
    minimum: 0,
    default: '10000',
    unit: 'ms',
    description: 'How long requests may take to finish after SIGTERM.',
  },
] as const satisfies readonly Variable[];

export const DEFAULT_PORTS = {
  service: 8001,
  commandApi: 8011,
  queryApi: 8012,
  projectors: 8013,
  relay: 8014,
  mcp: 8080,
} as const;

export type EdgeConfig = ReturnType<typeof edgeConfig>;

/** For a process that serves the API, or forwards to it. Throws ConfigurationError. */
export function edgeConfig(environment: Environment, defaultPort: number) {
  const { listenHost, ...edge } = readEdge(environment, defaultPort);
  if (!edge.isLoopbackOnly || listenHost === undefined || isLoopbackName(listenHost)) return edge;
  throw new ConfigurationError([
    `LISTEN_HOST=${listenHost} opens an API without a token to other machines: ${HOW_TO_OPEN}, or set LISTEN_HOST to ${LOOPBACK}`,
  ]);
}

/** For a process that serves only probes: they need no token, and an orchestrator sends them from another machine. */
export function probeConfig(environment: Environment, defaultPort: number): EdgeConfig {
  const { listenHost, ...edge } = readEdge(environment, defaultPort);
  return { ...edge, host: addressOf(listenHost), isLoopbackOnly: false, oidc: null };
}

/** For a process that checks its callers itself: it listens where LISTEN_HOST says, and by default as the API does. */
export function bridgeEdgeConfig(environment: Environment, defaultPort: number): EdgeConfig {
  const { listenHost: _listenHost, ...edge } = readEdge(environment, defaultPort);
  return edge;
}

function readEdge(environment: Environment, defaultPort: number) {
  rejectBlankTokens(environment);
  const values = readVariables(edgeVariables, environment);
  const own = values.SERVICE_API_TOKEN;
  const tokens: Tokens = {
    api: [...(own === undefined ? [] : [{ name: null, token: own }]), ...namedTokens(values.API_TOKENS ?? '')],
    admin: values.ADMIN_API_TOKEN ?? null,
    internal: values.INTERNAL_API_TOKEN ?? null,
  };
  const oidc = oidcConfig(environment);
  const isLoopbackOnly = tokens.api.length === 0 && oidc === null && !values.ALLOW_ANONYMOUS;
  const listenHost = values.LISTEN_HOST;
  return {
    port: values.PORT ?? defaultPort,
    listenHost,
    /** undefined for every address. */
    host: addressOf(listenHost ?? (isLoopbackOnly ? LOOPBACK : undefined)),
    /** True for an API without a token or an issuer that nothing opened: it answers this machine alone. */
    isLoopbackOnly,
    tokens,
    oidc,
    allowedOrigins: values.VIEWER_ALLOWED_ORIGINS,
    metrics:
      values.METRICS_PORT === undefined ? null : { port: values.METRICS_PORT, host: addressOf(values.METRICS_HOST) },
    logLevel: values.LOG_LEVEL,
    stopDeadlineMs: values.STOP_DEADLINE_MS,
  } as const;
}

/** Null without an issuer. Throws ConfigurationError. */
export function oidcConfig(environment: Environment): OidcConfig | null {
  const values = readVariables(oidcVariables, environment);
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience, OIDC_CONSOLE_CLIENT_ID: clientId } = values;
  if (clientId !== undefined && (issuer === undefined || audience === undefined))
    throw new ConfigurationError([
      'OIDC_CONSOLE_CLIENT_ID is a client of an issuer: set OIDC_ISSUER and OIDC_AUDIENCE too, or remove it',
    ]);
  if (issuer === undefined && audience === undefined) return null;
  if (issuer === undefined || audience === undefined)
    throw new ConfigurationError(['OIDC_ISSUER and OIDC_AUDIENCE belong together: set both, or remove both']);
  if (!isSafeAddress(issuer) || /[?#]/u.test(issuer))
    throw new ConfigurationError([
      `OIDC_ISSUER ${JSON.stringify(issuer)} is not the address of an issuer: write for example https://login.example.com/realms/main`,
    ]);
  const claims = {
    scopeClaim: values.OIDC_SCOPE_CLAIM,
    tagClaim: values.OIDC_TAG_CLAIM ?? null,
    tenantClaim: values.OIDC_TENANT_CLAIM ?? null,
  };
  const scopes = values.OIDC_CONSOLE_SCOPES?.split(/\s+/u) ?? consoleScopes(claims);
  return { issuer, audience, ...claims, ...(clientId !== undefined && { console: { clientId, scopes } }) };
}

/** The console has a view for each scope; the issuer grants those that its user may have. */
function consoleScopes({ scopeClaim, tagClaim }: Pick<OidcConfig, 'scopeClaim' | 'tagClaim'>): readonly string[] {
  if (scopeClaim !== DEFAULT_SCOPE_CLAIM) return ['openid']; // the issuer writes such a claim without being asked
  return ['openid', ...(tagClaim === null ? SCOPE_NAMES : TAGGED_KEY_SCOPES)];
}

function addressOf(listenHost: string | undefined): string | undefined {
  return listenHost === '*' ? undefined : listenHost;
}

const TOKEN_VARIABLES = [
  'SERVICE_API_TOKEN',
  'AUTOMEM_API_TOKEN',
  'API_TOKENS',
  'ADMIN_API_TOKEN',
  'INTERNAL_API_TOKEN',
];

/** A blank token is a mistake, for example a secret that was not mounted. */
function rejectBlankTokens(environment: Environment): void {
  const blank = TOKEN_VARIABLES.filter((name) => /^[\s,]*$/u.test(environment[name] ?? 'unset'));
  if (blank.length > 0) throw new ConfigurationError(blank.map((name) => `${name} is blank: remove it or set a token`));
}

/** The message never repeats the text of an invalid pair: it may contain a token. */
function namedTokens(text: string): readonly NamedToken[] {
  const pairs = text
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '');
  return pairs.map((pair, index) => {
    const colon = pair.indexOf(':');
    const [name, token] = [pair.slice(0, Math.max(0, colon)).trim(), pair.slice(colon + 1).trim()];
    if (name === '' || token === '')
      throw new ConfigurationError([
        `API_TOKENS: pair ${index + 1} is not name:token; write for example API_TOKENS=alice:secret1,build:secret2`,
      ]);
    return { name, token };
  });
}
