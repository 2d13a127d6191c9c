/** The operations that every process serves about itself. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { OPERATIONS } from '../contract/operations.js';
import { shareRuns } from '../kernel/concurrency/share-runs.js';
import { withinDeadline } from '../kernel/concurrency/within-deadline.js';
import type { Handlers, TextReply } from './handler.js';
import { openApiDocument } from './openapi/openapi-document.js';

type Operations = typeof OPERATIONS;
export type EdgeOperation = {
  [K in keyof Operations]: Operations[K]['servedBy'] extends 'edge' ? K : never;
}[keyof Operations];

/** By name of the server that the process needs. Rejects with a PalimpsestError while it does not answer. */
export type Pings = Readonly<Record<string, () => Promise<void>>>;

/** Orchestrators send a probe every few seconds and wait a few seconds for it. */
const PROBE_TIMEOUT_MS = 2_000;

const INDEX = { service: 'palimpsest', openapi: '/openapi.json', health: '/health' };

export function createEdgeHandlers({
  pings,
  ...about
}: { readonly pings: Pings } & Parameters<typeof openApiDocument>[0]): Handlers<EdgeOperation> {
  let openapi: TextReply | undefined;
  return {
    ...createProbes(pings),
    index: async () => ({ status: 200, body: INDEX }),
    openapi: async () => (openapi ??= documentOf(JSON.stringify(openApiDocument(about)))),
  };
}

/** Compressed within 15 ms; a higher quality takes longer than the document. */
function documentOf(text: string): TextReply {
  const br = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  return { status: 200, headers: { 'content-type': 'application/json' }, text, encoded: { br, gzip: gzipSync(text) } };
}

/** The only operations of a process without an API. */
export function createProbes(pings: Pings): Pick<Handlers<EdgeOperation>, 'livez' | 'readyz'> {
  const check = shareRuns(() => pingAll(pings));
  return {
    livez: async () => ({ status: 200, body: { status: 'ok' } }),
    readyz: async () => ({ status: 200, body: { status: 'ok', checks: await check() } }),
  };
}

/** Rejects with the first failure; otherwise resolves with `connected` for each name. */
async function pingAll(pings: Pings): Promise<Readonly<Record<string, string>>> {
  const checks = Object.entries(pings).map(async ([name, ping]) => {
    await withinDeadline(ping(), { milliseconds: PROBE_TIMEOUT_MS, name: `The ${name}` });
    return [name, 'connected'] as const;
  });
  return Object.fromEntries(await Promise.all(checks));
}
