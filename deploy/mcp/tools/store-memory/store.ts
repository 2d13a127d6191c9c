/** `store_memory` with content alone (POST /memory), and with `memories` (POST /memory/batch, all stored or none). */
import { type Failure, failureAnswer } from '../../failure-answer.js';
import { present, type ToolAnswer, type ToolCall } from '../../tool.js';
import {
  type Answered,
  type Fields,
  fieldsOf,
  largeContentWarning,
  numberAt,
  positionIn,
  refuseLargeContent,
  sizeContent,
  textAt,
} from '../fields.js';
import type { StoreFields, StoreInput } from './store-schemas.js';

/** Each call has its own key, so a model that repeats a call of unknown effect could store the memory twice. */
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
