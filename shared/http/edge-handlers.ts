/** The operations that any process answers about itself. */
import type { OPERATIONS } from '../contract/operations.js';
import type { Handlers } from './handler.js';

type Operations = typeof OPERATIONS;
export type EdgeOperation = { [K in keyof Operations]: Operations[K]['room'] extends 'edge' ? K : never }[keyof Operations];

export type EdgeHandlerDependencies = {
  /** What was checked, and what came of it. Rejects with a PalimpsestError while the process cannot serve. */
  readonly ready: () => Promise<Readonly<Record<string, string>>>;
  readonly openapi: object;
};

export function createEdgeHandlers({ ready, openapi }: EdgeHandlerDependencies): Handlers<EdgeOperation> {
  return {
    livez: async () => ({ status: 200, body: { status: 'ok' } }),
    readyz: async () => ({ status: 200, body: { status: 'ok', checks: await ready() } }),
    openapi: async () => ({ status: 200, body: openapi }),
  };
}
