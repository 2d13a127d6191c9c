/** `store_memory` with content alone: POST /memory. */
import { type Failure, failureAnswer } from '../../failure-answer.js';
import type { ToolAnswer, ToolCall } from '../../tool.js';
import { largeContentWarning, sizeContent } from '../content-size.js';
import { type Answered, type Fields, fieldsOf, numberAt, positionIn, present, textAt } from '../reply-fields.js';
import type { StoreFields, StoreInput } from './store-schemas.js';

/**
 * Each call has its own idempotency key, so that the same content can be stored twice on purpose. For the same reason a
 * model that repeats a call of unknown effect could store the memory twice by mistake.
 */
export const UNKNOWN_IF_STORED =
  'It may have been stored all the same: look with recall_memory before you store it again.';

export async function storeOne(
  fields: StoreFields & { readonly content: string },
  given: StoreInput,
  { client, signal }: ToolCall,
): Promise<ToolAnswer> {
  const answer = await client.call('storeMemory', { body: fields, signal });
  if (answer.kind !== 'answered') return failureAnswer(answer, { unknown: UNKNOWN_IF_STORED });
  const id = storedId(answer);
  if (id === null) return failureAnswer(missingIdFailure(answer, 'memory_id'), { unknown: UNKNOWN_IF_STORED });
  const warning = largeContentWarning([sizeContent(fields.content)]);
  return {
    text: [
      [
        'Memory stored successfully!',
        `Memory ID: ${id}`,
        ...storeNotes(answer, given),
        ...(warning === null ? [] : [warning]),
      ].join('\n'),
    ],
    structured: { message: 'Memory stored successfully', memory_id: id, ...storedFields(answer, fields.content) },
  };
}

/** What the service did differently from the arguments. */
export function storeNotes(answer: Answered, given: StoreInput): readonly string[] {
  const fields = fieldsOf(answer);
  const [before, after] = [numberAt(fields, 'original_length'), numberAt(fields, 'summarized_length')];
  return [
    ...(before === undefined || after === undefined
      ? []
      : [`Auto-summarized by the service: ${before} to ${after} characters`]),
    ...(given.id === undefined
      ? []
      : ['The id you gave was not used: the service gives every memory an id of its own.']),
  ];
}

export function storedFields(answer: Answered, content: string): Fields {
  const fields = fieldsOf(answer);
  const size = sizeContent(content);
  return present({
    type: textAt(fields, 'type'),
    qdrant: fields['qdrant'] === null ? null : textAt(fields, 'qdrant'),
    enrichment: textAt(fields, 'enrichment'),
    query_time_ms: numberAt(fields, 'query_time_ms'),
    summarized: fields['summarized'] === true ? true : undefined,
    original_length: numberAt(fields, 'original_length'),
    summarized_length: numberAt(fields, 'summarized_length'),
    ...(largeContentWarning([size]) === null ? {} : { content_length: size.characters, size_warning: true }),
    ...positionIn(answer),
  });
}

export function storedId(answer: Answered): string | null {
  const fields = fieldsOf(answer);
  return textAt(fields, 'memory_id') ?? textAt(fields, 'id') ?? null;
}

export function missingIdFailure({ status }: Answered, field: 'memory_id' | 'memory_ids'): Failure {
  return { kind: 'unreadable', status, message: `The answer (${status}) names no ${field}`, effect: 'unknown' };
}
