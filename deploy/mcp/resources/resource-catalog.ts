/** The resources and resource templates of the bridge, and the one function that reads any of them. */
import type { ReadResourceResult, Resource, ResourceTemplate } from '@modelcontextprotocol/sdk/types.js';
import { parseMemoryId } from '../../../shared/kernel/memory-id.js';
import { shorten } from '../../../shared/kernel/shorten.js';
import { failureError, notFoundError } from '../protocol-error.js';
import type { ResourceCall } from '../tool.js';
import { ENTITY_TEMPLATE, readEntityResource } from './entity-resource.js';
import { readStartupResource, STARTUP_RESOURCE } from './startup-resource.js';

const MEMORY_TEMPLATE = {
  uriTemplate: 'memory://{id}',
  name: 'memory',
  title: 'Memory',
  description:
    'One memory with everything that is stored of it, and the memories it is associated with. The id is the one that recall_memory and store_memory return.',
  mimeType: 'application/json',
} as const satisfies ResourceTemplate;

/** The resource template of a memory: by its id, whole and as JSON. */
async function readMemoryResource(uri: string, { client, signal }: ResourceCall): Promise<ReadResourceResult> {
  const id = parseMemoryId(/^memory:\/\/(?<id>[^/?#]+)\/?$/iu.exec(uri)?.groups?.['id'] ?? '');
  if (id === null)
    throw notFoundError(
      `There is no resource ${shorten(uri)}: write memory:// and the id of a memory, a UUID, behind it, or a URI of resources/list`,
      uri,
    );
  const answer = await client.call('getMemory', { params: { id }, signal });
  if (answer.kind === 'answered')
    return { contents: [{ uri, mimeType: MEMORY_TEMPLATE.mimeType, text: JSON.stringify(answer.body) }] };
  if (answer.status === 404)
    throw notFoundError(
      `There is no memory ${id}: it was deleted, or never stored. recall_memory finds the ids of those that are there.`,
      uri,
    );
  throw failureError(answer, uri);
}

export const RESOURCES: readonly Resource[] = [STARTUP_RESOURCE];
export const RESOURCE_TEMPLATES: readonly ResourceTemplate[] = [MEMORY_TEMPLATE, ENTITY_TEMPLATE];

const ENTITY_URI = /^entity:/iu;
const STARTUP_URI = /^memory:\/\/startup-recall\/?$/iu;

/** Throws ProtocolError with the reason and what to do. `tokenBudget` limits everything but a memory. */
export async function readResource(uri: string, call: ResourceCall, tokenBudget: number): Promise<ReadResourceResult> {
  if (STARTUP_URI.test(uri)) return { contents: [{ ...(await readStartupResource(call, tokenBudget)), uri }] };
  if (ENTITY_URI.test(uri)) return { contents: [await readEntityResource(uri, call, tokenBudget)] };
  return readMemoryResource(uri, call);
}
