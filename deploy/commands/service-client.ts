/** How commands reach a running service: its options, its client, and the words of its refusals. */
import { type Command, InvalidArgumentError } from 'commander';
import type { CallOf } from '../../shared/client/client.js';
import { createClient } from '../../shared/client/http-client.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import type { OperationName, ReplyOf } from '../../shared/contract/operations.js';
import type { Scope } from '../../shared/contract/scopes.js';
import { type Environment, readVariables, type Variable } from '../../shared/kernel/config/config.js';
import { parseMemoryId } from '../../shared/kernel/memory-id.js';
import { programVersion } from '../../shared/kernel/program-version.js';
import { bridgeConfig } from '../mcp/bridge-config.js';
import { CommandError, type Host, plain } from './host.js';

export type ServiceOptions = { readonly url?: string; readonly token?: string; readonly adminToken?: string };
export type CallOptions = ServiceOptions & { readonly json?: boolean };

export const serviceVariables = [
  {
    name: 'PALIMPSEST_URL',
    kind: 'text',
    description: 'The address of the service that the command line calls. Default: `AUTOMEM_API_URL`.',
  },
] as const satisfies readonly Variable[];

/** A person waits for the command. */
const RETRY_DELAYS_MS = [250];

export function addUrl(command: Command): Command {
  return command.option('--url <url>', 'address of the service (PALIMPSEST_URL, else AUTOMEM_API_URL or this machine)');
}

export function addToken(command: Command): Command {
  return command.option('--token <token>', 'its API token (AUTOMEM_API_KEY, else SERVICE_API_TOKEN)');
}

/** The options of a command that prints the answer of one call. */
export function addCallOptions(command: Command): Command {
  return addToken(addUrl(command)).option('--json', 'print the answer as JSON, also on a terminal');
}

export function addAdminToken(command: Command): Command {
  return command.option('--admin-token <token>', 'its admin token (ADMIN_API_TOKEN)');
}

/** Options win over variables, among them those of the MCP bridge. */
export function serviceOf({ url, token, adminToken }: ServiceOptions, environment: Environment) {
  const { SERVICE_API_TOKEN, ADMIN_API_TOKEN } = environment;
  const { PALIMPSEST_URL } = readVariables(serviceVariables, environment);
  const bridge = bridgeConfig(environment);
  const baseUrl = url ?? PALIMPSEST_URL ?? bridge.baseUrl;
  if (!/^https?:/u.test(baseUrl) || !URL.canParse(baseUrl))
    throw new CommandError(`${baseUrl} is not the address of a service: write for example http://127.0.0.1:8001`);
  return {
    baseUrl,
    token: token ?? bridge.token ?? (SERVICE_API_TOKEN || null),
    adminToken: adminToken ?? (ADMIN_API_TOKEN || undefined),
  };
}

/** Resolves with the body of the answer. Throws CommandError with a remedy. */
export async function callService<N extends OperationName>(
  name: N,
  call: CallOf<N>,
  {
    host,
    options,
    timeoutMs,
    isAdmin = false,
    scope = 'admin:keys',
  }: {
    readonly host: Host;
    readonly options: ServiceOptions;
    /** Default: that of the client. */
    readonly timeoutMs?: number;
    /** Sends the admin token, too, and sends once: a second rotation of a key would end the key that is in use. */
    readonly isAdmin?: boolean;
    /** That a key needs in place of the admin token. */
    readonly scope?: Scope;
  },
): Promise<ReplyOf<N>> {
  const { baseUrl, token, adminToken } = serviceOf(options, host.environment());
  const client = createClient({
    baseUrl,
    token,
    userAgent: `palimpsest/${programVersion()}`,
    retryDelaysMs: isAdmin ? [] : RETRY_DELAYS_MS,
    ...given({ timeoutMs, adminToken: isAdmin ? adminToken : undefined }),
  });
  const answer = await client.call(name, call);
  if (answer.kind === 'answered') return answer.body as ReplyOf<N>; // the contract of the service
  const remedy =
    answer.status === null
      ? UNREACHABLE
      : ((isAdmin ? adminRemedies(scope) : REMEDIES)[answer.status] ?? (answer.status < 500 ? '' : FAULT));
  throw new CommandError(plain(`${answer.message}${remedy && `: ${remedy}`}`));
}

const UNREACHABLE = 'start it with `palimpsest serve`, or give its address with --url';
const FAULT = '`palimpsest doctor` examines the service';
const TOKEN = 'set AUTOMEM_API_KEY to the API token of the service, or give it with --token';
const NOT_PALIMPSEST = 'check that --url is the address of Palimpsest';
const REMEDIES: Readonly<Record<number, string>> = {
  200: NOT_PALIMPSEST,
  401: TOKEN,
  403: TOKEN,
  404: '`palimpsest recall` shows the ids of memories',
};

function adminRemedies(scope: Scope): Readonly<Record<number, string>> {
  const tokens = `set AUTOMEM_API_KEY and ADMIN_API_TOKEN to the tokens of the service, or AUTOMEM_API_KEY to a key with ${scope} and all scopes that it gives`;
  return { 200: NOT_PALIMPSEST, 401: tokens, 403: tokens };
}

/** The values that are set. */
export function given<T extends object>(values: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T> as never;
}

/** Reads the argument that names a memory. */
export function memoryId(text: string): MemoryId {
  const id = parseMemoryId(text);
  if (id === null) throw new InvalidArgumentError('It is not the id of a memory: `palimpsest recall` shows ids.');
  return id;
}
