/** GET /graph/types and GET /graph/relations: the types of memories and associations, with their colours. */
import type { Operation } from '../operation.js';
import { closed, text, textList } from '../reply-parts.js';

const colors = {
  type: 'object',
  additionalProperties: text,
  description: 'The colour of each type, as #RRGGBB.',
} as const;

export const drawnKindsOperations = {
  listGraphTypes: {
    method: 'GET',
    path: '/graph/types',
    servedBy: 'query',
    access: 'api',
    summary: 'The types of memories and their colours',
    replies: { 200: closed({ types: textList, colors }) },
    neverAnswers: [503],
  },
  listGraphRelations: {
    method: 'GET',
    path: '/graph/relations',
    servedBy: 'query',
    access: 'api',
    summary: 'The types of associations and their colours',
    replies: { 200: closed({ relations: textList, colors }) },
    neverAnswers: [503],
  },
} as const satisfies Record<string, Operation>;
