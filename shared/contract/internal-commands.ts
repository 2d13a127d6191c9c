/** The bodies of internal commands: what processes of ours tell the command API, which alone writes. No caller from outside sends them. */
import { BATCH_LIMIT } from './limits.js';

/** These memories were read; `at` is the time of the latest reading among them. */
export const recordAccessBody = {
  type: 'object',
  additionalProperties: false,
  required: ['ids', 'at'],
  properties: {
    ids: { type: 'array', minItems: 1, maxItems: BATCH_LIMIT, items: { type: 'string', format: 'uuid' } },
    at: { type: 'string', description: 'ISO 8601; without an offset it is UTC.' },
  },
} as const;
