/** The resources and resource templates of the bridge, and the one function that reads any of them. */
import type { ReadResourceResult, Resource, ResourceTemplate } from '@modelcontextprotocol/sdk/types.js';
import { ENTITY_TEMPLATE, readEntityResource } from './entity-resource.js';
import { MEMORY_TEMPLATE, readMemoryResource } from './memory-resource.js';
import type { ResourceCall } from './resource-call.js';
import { readStartupResource, STARTUP_RESOURCE } from './startup-resource.js';

export const RESOURCES: readonly Resource[] = [STARTUP_RESOURCE];
export const RESOURCE_TEMPLATES: readonly ResourceTemplate[] = [MEMORY_TEMPLATE, ENTITY_TEMPLATE];

const ENTITY_URI = /^entity:/iu;
const STARTUP_URI = /^memory:\/\/startup-recall\/?$/iu;

/**
 * Throws ProtocolError with the reason and what to do. `tokenBudget` limits everything but a memory, which its id asks
 * for whole.
 */
export async function readResource(uri: string, call: ResourceCall, tokenBudget: number): Promise<ReadResourceResult> {
  if (STARTUP_URI.test(uri)) return { contents: [{ ...(await readStartupResource(call, tokenBudget)), uri }] };
  if (ENTITY_URI.test(uri)) return { contents: [await readEntityResource(uri, call, tokenBudget)] };
  return readMemoryResource(uri, call);
}
