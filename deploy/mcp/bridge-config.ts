/**
 * Reads the configuration of the bridge, under the variable names of AutoMem's clients. An editor that starts the
 * bridge does not show why a start failed. So an invalid preference (budget, watchdog, log level) counts as unset and
 * logs a warning.
 */
import { bridgeEdgeConfig, DEFAULT_PORTS } from '../../shared/http/edge-variables.js';
import {
  ConfigurationError,
  type Environment,
  readVariables,
  type Values,
  type Variable,
} from '../../shared/kernel/config/config.js';
import { LOG_LEVELS } from '../../shared/kernel/pino-logger.js';

const SERVICE = 'http://127.0.0.1:8001';

/** The first variable of the list that is set counts. The same holds for the list of keys. */
const addressVariables = [
  {
    name: 'AUTOMEM_API_URL',
    kind: 'text',
    description: `Where the MCP bridge finds the service. Unset: CLAUDE_PLUGIN_OPTION_API_URL, then AUTOMEM_ENDPOINT, then \`${SERVICE}\`.`,
  },
  { name: 'CLAUDE_PLUGIN_OPTION_API_URL', kind: 'text', description: 'The same, as plugins of Claude set it.' },
  { name: 'AUTOMEM_ENDPOINT', kind: 'text', description: 'The same under its old name: use AUTOMEM_API_URL.' },
] as const satisfies readonly Variable[];

const keyVariables = [
  {
    name: 'AUTOMEM_API_KEY',
    kind: 'secret',
    description:
      'The token that the bridge shows the service over stdio; over HTTP its callers bring their own. Unset: AUTOMEM_API_TOKEN, then CLAUDE_PLUGIN_OPTION_API_KEY, then CLAUDE_PLUGIN_OPTION_API_TOKEN, then none.',
  },
  { name: 'AUTOMEM_API_TOKEN', kind: 'secret', description: 'The same under another name.' },
  { name: 'CLAUDE_PLUGIN_OPTION_API_KEY', kind: 'secret', description: 'The same, as plugins of Claude set it.' },
  { name: 'CLAUDE_PLUGIN_OPTION_API_TOKEN', kind: 'secret', description: 'The same, as plugins of Claude set it.' },
] as const satisfies readonly Variable[];

const recallBudgetVariable = {
  name: 'AUTOMEM_RECALL_TOKEN_BUDGET',
  kind: 'integer',
  minimum: 1,
  default: '18000',
  unit: 'tokens',
  description: "What the answer of one recall over MCP may take of a model's context, estimated.",
} as const satisfies Variable;

/** `compact` is for models that pay for each token of the list of tools. */
export const PROFILES = ['compatible', 'compact'] as const;
export type Profile = (typeof PROFILES)[number];

const profileVariable = {
  name: 'MCP_PROFILE',
  kind: 'choice',
  choices: PROFILES,
  default: 'compatible',
  description:
    'The tools of MCP. `compatible` has every argument. `compact` has at most five for each tool and answers with text alone; its `delete_memory` asks before it deletes more than ten memories by tags.',
} as const satisfies Variable;

const toolsetVariables = [recallBudgetVariable, profileVariable] as const satisfies readonly Variable[];

const preferenceVariables = [
  ...toolsetVariables,
  {
    name: 'AUTOMEM_PARENT_WATCHDOG_MS',
    kind: 'integer',
    minimum: 1,
    default: '30000',
    unit: 'ms',
    description:
      'How often the bridge over stdio checks that the program that started it still runs; every 100 ms at the most.',
  },
  {
    name: 'AUTOMEM_LOG_LEVEL',
    kind: 'choice',
    choices: LOG_LEVELS,
    description: 'The least important lines that the bridge logs, to stderr. Unset: `info`, with `--http` LOG_LEVEL.',
  },
] as const satisfies readonly Variable[];

export const mcpEdgeVariables = [
  {
    name: 'MCP_ALLOW_ANONYMOUS',
    kind: 'flag',
    default: 'false',
    description: 'The bridge over HTTP takes callers without a token too, for a service that has none.',
  },
  {
    name: 'MCP_ALLOWED_ORIGINS',
    kind: 'list',
    description: "Origins whose pages may use MCP over HTTP, in addition to this machine's own; `*` allows all.",
  },
  {
    name: 'MCP_ALLOWED_HOSTS',
    kind: 'list',
    description:
      'Names in the Host header under which MCP answers on a loopback address, in addition to the names of this machine: the names that a proxy on this machine forwards.',
  },
] as const satisfies readonly Variable[];

export const bridgeVariables: readonly Variable[] = [
  ...addressVariables,
  ...keyVariables,
  ...preferenceVariables,
  ...mcpEdgeVariables,
];

const SHORTEST_WATCH_MS = 100;

export type McpEdgeConfig = ReturnType<typeof mcpEdgeConfig>;

/** The settings of both transports. Throws ConfigurationError when the address of the service is not an HTTP URL. */
export function bridgeConfig(environment: Environment) {
  const addresses = readVariables(addressVariables, environment);
  const keys = readVariables(keyVariables, environment);
  const { values, warnings } = readPreferences(preferenceVariables, environment);
  const [address] = addressVariables.flatMap(({ name }) =>
    addresses[name] === undefined ? [] : [{ name, text: addresses[name] }],
  );
  if (address?.name === 'AUTOMEM_ENDPOINT')
    warnings.push('AUTOMEM_ENDPOINT is an old name: set AUTOMEM_API_URL to the same');
  return {
    baseUrl: address === undefined ? SERVICE : serviceUrl(address),
    token: keyVariables.map(({ name }) => keys[name]).find((key) => key !== undefined) ?? null,
    tokenBudget: values.AUTOMEM_RECALL_TOKEN_BUDGET,
    profile: values.MCP_PROFILE,
    parentWatchMs: Math.max(SHORTEST_WATCH_MS, values.AUTOMEM_PARENT_WATCHDOG_MS),
    logLevel: values.AUTOMEM_LOG_LEVEL,
    warnings,
  };
}

/** Which callers may use MCP over HTTP. */
export function mcpEdgeConfig(environment: Environment) {
  const values = readVariables(mcpEdgeVariables, environment);
  return {
    allowAnonymous: values.MCP_ALLOW_ANONYMOUS,
    allowedOrigins: values.MCP_ALLOWED_ORIGINS ?? [],
    allowedHosts: values.MCP_ALLOWED_HOSTS ?? [],
  };
}

export type ToolsetConfig = { readonly tokenBudget: number; readonly profile: Profile };

/** For a bridge inside another process. */
export function toolsetConfig(environment: Environment): ToolsetConfig {
  const { values } = readPreferences(toolsetVariables, environment);
  return { tokenBudget: values.AUTOMEM_RECALL_TOKEN_BUDGET, profile: values.MCP_PROFILE };
}

/** Additional settings of a bridge with a port of its own. */
export function bridgeServerConfig(environment: Environment) {
  const { allowedOrigins: corsOrigins, ...edge } = bridgeEdgeConfig(environment, DEFAULT_PORTS.mcp);
  return { ...edge, corsOrigins };
}

function serviceUrl({ name, text }: { readonly name: string; readonly text: string }): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/u.test(url.protocol) && url.search === '' && url.hash === '') return text;
  throw new ConfigurationError([`${name} is not the address of a service: write for example ${SERVICE}`]);
}

/** Does not throw for an invalid value: the variable counts as unset, and a warning names it. */
function readPreferences<const T extends readonly Variable[]>(
  variables: T,
  environment: Environment,
): { readonly values: Values<T>; readonly warnings: string[] } {
  const warnings: string[] = [];
  const readable = { ...environment };
  for (const variable of variables) {
    try {
      readVariables([variable], readable);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      warnings.push(...error.problems.map((problem) => `${problem}; it counts as unset`));
      delete readable[variable.name];
    }
  }
  return { values: readVariables(variables, readable), warnings };
}
