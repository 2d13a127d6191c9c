/** How a process of the distributed composition is called, and how long it waits for the servers that it stands on. */
import { readVariables, type Environment, type Variable } from './config.js';

export const startVariables = [
  {
    name: 'INSTANCE_NAME',
    kind: 'text',
    description:
      'Names this process among others of its kind; no two alike. Unset: made of the host, the process id and something random.',
  },
  {
    name: 'START_TIMEOUT_MS',
    kind: 'integer',
    minimum: 0,
    default: '0',
    unit: 'ms',
    description: 'How long a process that starts waits for each server it stands on; 0 waits until it is told to stop.',
  },
] as const satisfies readonly Variable[];

export type StartConfig = { readonly instanceName: string | null; readonly timeoutMs: number };

export function startConfig(environment: Environment): StartConfig {
  const values = readVariables(startVariables, environment);
  return { instanceName: values.INSTANCE_NAME ?? null, timeoutMs: values.START_TIMEOUT_MS };
}
