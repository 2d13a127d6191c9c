/** The input and output schemas of `store_memory`: the fields of the HTTP commands, and fields of the bridge itself. */
import type { FromSchema } from 'json-schema-to-ts';
import { SUPERSEDING_TYPES } from '../../../../shared/contract/association.js';
import { batchItem, storeMemoryBody } from '../../../../shared/contract/commands.js';
import { BATCH_LIMIT } from '../../../../shared/contract/limits.js';
import { closed, count, flag, text, textList } from '../../../../shared/contract/reply-parts.js';
import { CONTENT_HARD_LIMIT } from '../fields.js';

const { content, tags, importance, metadata, timestamp, t_valid, t_invalid } = storeMemoryBody.properties;
const described = {
  content: {
    ...content,
    description: `One fact that can be understood alone; 150 to 300 characters serve best, at most ${CONTENT_HARD_LIMIT}.`,
  },
  tags: {
    ...tags,
    description: 'For project, topic and kind, such as "project-x" or "lang:python": recall narrows by them.',
  },
  importance: { ...importance, description: '0.9 critical, 0.7 important, 0.5 (default) ordinary, 0.3 minor.' },
  metadata: { ...metadata, description: 'Anything else worth keeping, as JSON.' },
  timestamp: {
    ...timestamp,
    description: 'When it happened, where that is not now. ISO 8601; without an offset it is UTC.',
  },
} as const;

export const storeInput = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...storeMemoryBody.properties,
    ...described,
    t_valid: { ...t_valid, description: 'From when it holds. ISO 8601.' },
    t_invalid: { ...t_invalid, description: 'Until when it holds: after that recall leaves it out. ISO 8601.' },
    id: { type: 'string', description: 'Not used: the service gives every memory an id of its own.' },
    memories: {
      type: 'array',
      minItems: 1,
      maxItems: BATCH_LIMIT,
      items: { ...batchItem, additionalProperties: false, properties: { ...batchItem.properties, ...described } },
      description: `In place of content: up to ${BATCH_LIMIT} memories, all stored or none.`,
    },
    supersedes_memory_id: {
      type: 'string',
      description:
        'The memory that this one replaces: it stays readable in the history, and recall shows the new one in its place.',
    },
    supersede_relation: {
      type: 'string',
      enum: SUPERSEDING_TYPES,
      accepts: 'any_case',
      description:
        'INVALIDATED_BY (default): the old was wrong or holds no more. EVOLVED_INTO: the new goes on from the old.',
    },
    supersede_reason: { type: 'string', description: 'Why, kept with the old memory.' },
  },
} as const;
export type StoreInput = FromSchema<typeof storeInput>;
export type StoreFields = Omit<
  StoreInput,
  'id' | 'memories' | 'supersedes_memory_id' | 'supersede_relation' | 'supersede_reason'
>;
export type SupersedeRelation = NonNullable<StoreInput['supersede_relation']>;

export const storeOutput = closed(
  { message: text },
  {
    memory_id: text,
    memory_ids: textList,
    stored: count,
    type: { ...text, description: 'As given, or as classified from the content.' },
    superseded_memory_id: text,
    old_memory_updated: {
      ...flag,
      description: 'The superseded memory is marked as such; absent where that is not known.',
    },
    association_created: { ...flag, description: 'From the old memory to the new; absent where that is not known.' },
    qdrant: { type: ['string', 'null'], description: 'What became of the vector.' },
    enrichment: text,
    query_time_ms: { type: 'number' },
    content_length: count,
    size_warning: flag,
    summarized: { ...flag, description: 'The service has shortened the content.' },
    original_length: count,
    summarized_length: count,
    position: {
      ...text,
      description: 'Give it to recall_memory as consistent_with to find this memory by its meaning at once.',
    },
    error: { ...text, description: 'With a failure: what kind.' },
    hard_limit: count,
  },
);
