/** The resource template of a memory: by its id, whole and as JSON. */
import { ErrorCode, type ReadResourceResult, type ResourceTemplate } from '@modelcontextprotocol/sdk/types.js';
import { parseMemoryId } from '../../../shared/kernel/memory-id.js';
import { shorten } from '../../../shared/kernel/shorten.js';
import { failureAnswer } from '../failure-answer.js';
import { ProtocolError, RESOURCE_NOT_FOUND } from '../protocol-error.js';
import type { ResourceCall } from './resource-call.js';

export const MEMORY_TEMPLATE = {
  uriTemplate: 'memory://{id}',
  name: 'memory',
  title: 'Memory',
  description:
    'One memory with everything that is stored of it, and the memories it is associated with. The id is the one that recall_memory and store_memory return.',
  mimeType: 'application/json',
} as const satisfies ResourceTemplate;

export async function readMemoryResource(uri: string, { client, signal }: ResourceCall): Promise<ReadResourceResult> {
  const id = parseMemoryId(/^memory:\/\/(?<id>[^/?#]+)\/?$/iu.exec(uri)?.groups?.['id'] ?? '');
  if (id === null)
    throw new ProtocolError(
      RESOURCE_NOT_FOUND,
      `There is no resource ${shorten(uri)}: write memory:// and the id of a memory, a UUID, behind it, or a URI of resources/list`,
      { uri },
    );
  const answer = await client.call('getMemory', { params: { id }, signal });
  if (answer.kind === 'answered')
    return { contents: [{ uri, mimeType: MEMORY_TEMPLATE.mimeType, text: JSON.stringify(answer.body) }] };
  if (answer.status === 404)
    throw new ProtocolError(
      RESOURCE_NOT_FOUND,
      `There is no memory ${id}: it was deleted, or never stored. recall_memory finds the ids of those that are there.`,
      { uri },
    );
  throw new ProtocolError(ErrorCode.InternalError, failureAnswer(answer).text.join('\n'), { uri });
}
