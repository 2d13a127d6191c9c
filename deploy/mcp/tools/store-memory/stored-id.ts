/** The id of what was stored; an answer without one is none that a memory can be built on. */
import type { Failure } from '../../failure-answer.js';
import { fieldsOf, textAt, type Answered } from '../reply-fields.js';

export function storedId(answer: Answered): string | null {
  const fields = fieldsOf(answer);
  return textAt(fields, 'memory_id') ?? textAt(fields, 'id') ?? null;
}

export function namesNoId({ status }: Answered, field: 'memory_id' | 'memory_ids'): Failure {
  return { kind: 'unreadable', status, message: `The answer (${status}) names no ${field}`, effect: 'unknown' };
}
