/** The operations that any process answers about itself. */
import type { OPERATIONS } from '../contract/operations.js';
import type { Handlers } from './handler.js';

type Operations = typeof OPERATIONS;
export type EdgeOperation = {
  [K in keyof Operations]: Operations[K]['room'] extends 'edge' ? K : never;
}[keyof Operations];

/** What was checked, and what came of it. Rejects with a PalimpsestError while the process cannot serve. */
export type Ready = () => Promise<Readonly<Record<string, string>>>;

export function createEdgeHandlers({
  ready,
  openapi,
}: {
  readonly ready: Ready;
  readonly openapi: object;
}): Handlers<EdgeOperation> {
  return { ...createProbes(ready), openapi: async () => ({ status: 200, body: openapi }) };
}

/** All that a process answers whom nobody calls. */
export function createProbes(ready: Ready): Pick<Handlers<EdgeOperation>, 'livez' | 'readyz'> {
  return {
    livez: async () => ({ status: 200, body: { status: 'ok' } }),
    readyz: async () => ({ status: 200, body: { status: 'ok', checks: await ready() } }),
  };
}
