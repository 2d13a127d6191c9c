/** `store_memory` with `memories`: POST /memory/batch, all stored or none. */
import { failureAnswer } from '../../failure-answer.js';
import type { ToolAnswer, ToolCall } from '../../tool.js';
import { largeContentWarning, refuseLargeContent, sizeContent } from '../content-size.js';
import { fieldsOf, numberAt, positionIn, present, textAt } from '../reply-fields.js';
import { missingIdFailure, UNKNOWN_IF_STORED } from './store-one.js';
import type { StoreInput } from './store-schemas.js';

const NAMED_IDS = 10;

export async function storeBatch(
  memories: NonNullable<StoreInput['memories']>,
  { client, signal, report }: ToolCall,
): Promise<ToolAnswer> {
  const sizes = memories.map(({ content }, index) => sizeContent(content, `memories[${index}].content`));
  const refusal = refuseLargeContent(sizes);
  if (refusal !== null) return refusal;
  report({ done: 0, total: 1, message: `Memories to store: ${memories.length}` });
  const answer = await client.call('storeBatch', { body: { memories }, signal });
  if (answer.kind !== 'answered') return failureAnswer(answer, { unknown: UNKNOWN_IF_STORED });
  const fields = fieldsOf(answer);
  const ids = Array.isArray(fields['memory_ids'])
    ? fields['memory_ids'].filter((id): id is string => typeof id === 'string')
    : [];
  if (ids.length === 0) return failureAnswer(missingIdFailure(answer, 'memory_ids'), { unknown: UNKNOWN_IF_STORED });
  const stored = numberAt(fields, 'stored') ?? ids.length;
  const message = `Stored ${stored} ${stored === 1 ? 'memory' : 'memories'}.`;
  const warning = largeContentWarning(sizes);
  return {
    text: [[message, namedIds(ids), ...(warning === null ? [] : [warning])].join('\n')],
    structured: present({
      message,
      stored,
      memory_ids: ids,
      qdrant: textAt(fields, 'qdrant'),
      enrichment: textAt(fields, 'enrichment'),
      query_time_ms: numberAt(fields, 'query_time_ms'),
      size_warning: warning === null ? undefined : true,
      ...positionIn(answer),
    }),
  };
}

function namedIds(ids: readonly string[]): string {
  const more = ids.length - NAMED_IDS;
  return `Memory IDs: ${ids.slice(0, NAMED_IDS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
