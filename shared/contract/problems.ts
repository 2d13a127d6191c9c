/** The error body of the service. `message` and `error` have the same text. */
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
    detail: { type: 'string', description: 'What was found in place of what the message asks for.' },
    hint: { type: 'string', description: 'What to do, and the names in the request that were ignored.' },
    field: { type: 'string', description: 'The invalid field, if there is one.' },
    revision: { type: 'integer', description: 'With status 412: the present revision of the memory.' },
    request_id: { type: 'string' },
  },
} as const;
export type Problem = FromSchema<typeof problemSchema>;
