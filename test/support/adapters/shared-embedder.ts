/**
 * The bundled embedder of this process, for all services that tests start in it: loading the model takes more time than
 * most tests.
 */
import { createBundledEmbedder } from '../../../shared/engines/models/bundled/bundled-embedder.js';
import type { Embedder } from '../../../shared/ports/embedder.js';

let opened: Promise<Embedder> | undefined;
/** The resources of its process, which stays open until the process ends. */
const resources: string[] = [];

export async function openSharedEmbedder(): Promise<Embedder> {
  if (opened === undefined) {
    opened = createBundledEmbedder();
    resources.push('ProcessWrap');
  }
  return { ...(await opened), close: async () => undefined };
}

export function sharedResources(): readonly string[] {
  return resources;
}
