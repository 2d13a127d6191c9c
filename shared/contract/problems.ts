/** The one error body of the service: `message` and `error` carry the same text. */
import type { FromSchema } from 'json-schema-to-ts';

export const problemSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['status', 'code', 'message', 'error'],
  properties: {
    status: { type: 'string', const: 'error' },
    code: { type: 'integer', description: 'The HTTP status.' },
    message: { type: 'string' },
    error: { type: 'string' },
    field: { type: 'string', description: 'The field that was refused, where one was.' },
    revision: { type: 'integer', description: 'With 412: the revision that the memory has now.' },
    request_id: { type: 'string' },
  },
} as const;
export type Problem = FromSchema<typeof problemSchema>;
