/**
 * The variables with which every process of the distributed composition starts: its name, and how long it waits for its
 * servers.
 */
import { type Environment, readVariables, type Variable } from './config.js';

export const startVariables = [
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

export type StartConfig = { readonly instanceName: string | null; readonly timeoutMs: number };

export function startConfig(environment: Environment): StartConfig {
  const values = readVariables(startVariables, environment);
  return { instanceName: values.INSTANCE_NAME ?? null, timeoutMs: values.START_TIMEOUT_MS };
}
