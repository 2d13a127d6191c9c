/** The variables of the HTTP edge and its tokens. */
import { ConfigurationError, type Environment, readVariables, type Variable } from '../kernel/config/config.js';
import { LOG_LEVELS } from '../kernel/pino-logger.js';
import type { NamedToken, Tokens } from './auth.js';

export const internalTokenVariable = {
  name: 'INTERNAL_API_TOKEN',
  kind: 'secret',
  description:
    'The token that the processes of the distributed composition send each other; the same for all of them. Without it internal operations answer 403.',
} as const satisfies Variable;

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
    description: 'The address it listens on, `127.0.0.1` for this machine alone. Unset: every address.',
  },
  {
    name: 'SERVICE_API_TOKEN',
    aliases: ['AUTOMEM_API_TOKEN'],
    kind: 'secret',
    description:
      'The API token. Without one, and without API_TOKENS, the API is open to everyone who reaches the port.',
  },
  {
    name: 'API_TOKENS',
    kind: 'secret',
    description: 'More API tokens, `name:token,name:token`; the journal records the name with every event.',
  },
  { name: 'ADMIN_API_TOKEN', kind: 'secret', description: 'The admin token; without one admin routes answer 403.' },
  internalTokenVariable,
  { name: 'VIEWER_ALLOWED_ORIGINS', kind: 'list', default: '*', description: 'Origins that browsers may call from.' },
  {
    name: 'LOG_LEVEL',
    kind: 'choice',
    choices: LOG_LEVELS,
    default: 'info',
    description: 'The least important lines that are logged.',
  },
  {
    name: 'REQUEST_TIMEOUT_MS',
    kind: 'integer',
    minimum: 1_000,
    default: '120000',
    unit: 'ms',
    description: 'How long a request may take to arrive.',
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

/** Throws ConfigurationError with every problem at once. */
export function edgeConfig(environment: Environment, defaultPort: number) {
  const values = readVariables(edgeVariables, environment);
  const own = values.SERVICE_API_TOKEN;
  const tokens: Tokens = {
    api: [...(own === undefined ? [] : [{ name: null, token: own }]), ...namedTokens(values.API_TOKENS ?? '')],
    admin: values.ADMIN_API_TOKEN ?? null,
    internal: values.INTERNAL_API_TOKEN ?? null,
  };
  return {
    port: values.PORT ?? defaultPort,
    host: values.LISTEN_HOST,
    tokens,
    allowedOrigins: values.VIEWER_ALLOWED_ORIGINS,
    logLevel: values.LOG_LEVEL,
    requestTimeoutMs: values.REQUEST_TIMEOUT_MS,
    stopDeadlineMs: values.STOP_DEADLINE_MS,
  } as const;
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
