/**
 * The variables with which every process of the distributed composition starts: its name, and how long it waits for its
 * servers.
 */
import { type Environment, readVariables, type Variable } from './config.js';

/** Also of the embedded composition. */
export const tenantsOpenLimit = {
  name: 'TENANTS_OPEN_LIMIT',
  kind: 'integer',
  minimum: 1,
  maximum: 1_000,
  description:
    'Tenants that a process has open at the same time, without the default one. The next request of another one opens it; the one that was used least recently closes for it. Unset: 64 in the embedded composition, where an open tenant takes about 9 MB of memory, and 8 in the distributed one, where an open tenant takes up to 20 connections to Postgres.',
} as const satisfies Variable;

const OPEN_LIMIT = 8;

export const startVariables = [
  tenantsOpenLimit,
  {
    name: 'INSTANCE_NAME',
    kind: 'text',
    description:
      'The name of this process; each process of a kind needs a different one. Unset: made of the host, the process id and a random part.',
  },
  {
    name: 'START_TIMEOUT_MS',
    kind: 'integer',
    minimum: 0,
    default: '0',
    unit: 'ms',
    description:
      'How long a starting process waits for each server that it needs; 0 waits until the process is stopped.',
  },
] as const satisfies readonly Variable[];

export type StartConfig = ReturnType<typeof startConfig>;

export function startConfig(environment: Environment) {
  const values = readVariables(startVariables, environment);
  return {
    instanceName: values.INSTANCE_NAME ?? null,
    timeoutMs: values.START_TIMEOUT_MS,
    tenantsOpenLimit: values.TENANTS_OPEN_LIMIT ?? OPEN_LIMIT,
  };
}
