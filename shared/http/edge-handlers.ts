/** The operations that every process serves about itself. */
import type { OPERATIONS } from '../contract/operations.js';
import type { Handlers } from './handler.js';

type Operations = typeof OPERATIONS;
export type EdgeOperation = {
  [K in keyof Operations]: Operations[K]['room'] extends 'edge' ? K : never;
}[keyof Operations];

/** Resolves with the result of each check. Rejects with a PalimpsestError while the process cannot serve. */
export type Ready = () => Promise<Readonly<Record<string, string>>>;

const INDEX = { service: 'palimpsest', openapi: '/openapi.json', health: '/health' };

export function createEdgeHandlers({
  ready,
  openapi,
}: {
  readonly ready: Ready;
  readonly openapi: object;
}): Handlers<EdgeOperation> {
  return {
    ...createProbes(ready),
    index: async () => ({ status: 200, body: INDEX }),
    openapi: async () => ({ status: 200, body: openapi }),
  };
}

/** The only operations of a process without an API. */
export function createProbes(ready: Ready): Pick<Handlers<EdgeOperation>, 'livez' | 'readyz'> {
  return {
    livez: async () => ({ status: 200, body: { status: 'ok' } }),
    readyz: async () => ({ status: 200, body: { status: 'ok', checks: await ready() } }),
  };
}
