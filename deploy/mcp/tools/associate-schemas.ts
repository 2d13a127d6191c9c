/** The input and output schemas of `associate_memories`: the fields of POST /associate, for one pair or many. */
import type { FromSchema } from 'json-schema-to-ts';
import { AUTHORABLE_TYPES } from '../../../shared/contract/association.js';
import { associationItem } from '../../../shared/contract/commands.js';
import { BATCH_LIMIT } from '../../../shared/contract/limits.js';
import { count, text } from '../../../shared/contract/reply-parts.js';

const pair = {
  ...associationItem.properties,
  memory1_id: {
    type: 'string',
    minLength: 1,
    pattern: '\\S',
    description: 'Where it starts: the cause, the earlier, the old, the chosen, the part.',
  },
  memory2_id: {
    type: 'string',
    minLength: 1,
    pattern: '\\S',
    description: 'Where it leads: the effect, the later, the new, the rejected, the whole.',
  },
  type: {
    type: 'string',
    enum: AUTHORABLE_TYPES,
    accepts: 'any_case',
    description: 'How the first stands to the second.',
  },
  strength: { ...associationItem.properties.strength, description: 'Default 0.5.' },
  observations: { type: 'array', items: { type: 'string' }, accepts: 'string_or_list' },
} as const;

export const associateInput = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...pair,
    associations: {
      type: 'array',
      minItems: 1,
      maxItems: BATCH_LIMIT,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['memory1_id', 'memory2_id', 'type'],
        properties: pair,
      },
      description: `In place of a single pair: up to ${BATCH_LIMIT} of them. Each stands alone: those whose memories do not exist are listed as failed, the others are written.`,
    },
  },
} as const;
export type AssociateInput = FromSchema<typeof associateInput>;

export const associateOutput = {
  type: 'object',
  additionalProperties: false,
  required: ['success', 'message'],
  properties: {
    success: { type: 'boolean' },
    message: text,
    created_count: count,
    failed_count: count,
    succeeded: { type: 'array', items: { type: 'object', additionalProperties: true } },
    failed: { type: 'array', items: { type: 'object', additionalProperties: true } },
    summary: text,
    position: { ...count, description: 'Of the last association in the journal.' },
  },
} as const;
