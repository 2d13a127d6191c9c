/** GET /entities/audit: which tags of entities the quality gate accepts. */
import { type Operation, route } from '../operation.js';
import { closed, count, flag, number, success, text, textList } from '../reply-parts.js';
import { ENTITY_LIST, mergeCandidateBody } from './entity.js';

/** The most used tags that are examined. */
export const AUDITED_TAGS = 5_000;
/** Items of each list in a summary. */
export const AUDIT_SAMPLE = 10;

const accepted = closed({
  id: text,
  category: text,
  slug: text,
  name: text,
  source_tags: { ...textList, description: 'The tags that name this entity, in their spellings.' },
  references: count,
  confidence: number,
});
const rejected = closed({
  tag: text,
  memory_id: {
    type: ['string', 'null'],
    format: 'uuid',
    description: 'A memory with the tag; null when it has just lost it.',
  },
  category: text,
  slug: text,
  reason: text,
});
const lists = { accepted: { type: 'array', items: accepted }, rejected: { type: 'array', items: rejected } } as const;
const perReason = { type: 'object', additionalProperties: count } as const;

const auditReply = closed(
  {
    status: success,
    dry_run: { type: 'boolean', const: true },
    merge_candidates: { type: 'array', items: mergeCandidateBody },
    counts: closed({
      accepted_entities: count,
      rejected_entities: count,
      accepted_total_unfiltered: count,
      rejected_total_unfiltered: count,
      merge_candidates: count,
      auto_merge_candidates: count,
      review_merge_candidates: count,
    }),
    counts_by_reason: perReason,
    counts_by_category: {
      type: 'object',
      additionalProperties: closed({ accepted: count, rejected: count }),
    },
    limit: count,
    offset: count,
    summary: flag,
    merge_candidates_skipped: flag,
    truncated: { ...flag, description: `There are more than ${AUDITED_TAGS} tags of entities.` },
  },
  {
    accepted: lists.accepted,
    rejected_entities: lists.rejected,
    accepted_sample: lists.accepted,
    rejected_sample: lists.rejected,
  },
);

export const auditOperations = {
  auditEntities: {
    ...route('GET /entities/audit', 'query', 'admin'),
    cost: 150,
    tag: 'Administration',
    summary: 'Which tags of entities the quality gate accepts, and why it rejects the others',
    description: 'Checks the tags of entities by the rules that enrichment applies. Nothing is changed.',
    query: [
      {
        name: 'summary',
        kind: 'flag',
        description: `True: \`accepted_sample\` and \`rejected_sample\` with up to ${AUDIT_SAMPLE} items in place of the lists.`,
      },
      { name: 'include_merge_candidates', kind: 'flag', description: 'True: also pairs that may be the same.' },
      {
        name: 'limit',
        kind: 'integer',
        minimum: 1,
        refuse: "'limit' must be a whole number above 0",
        description: `Items of each list; default ${ENTITY_LIST.default}, above ${ENTITY_LIST.maximum} counts as ${ENTITY_LIST.maximum}.`,
      },
      {
        name: 'offset',
        kind: 'integer',
        minimum: 0,
        refuse: "'offset' must be a whole number from 0",
        description: 'Items of each list that are left out; default 0.',
      },
      { name: 'category', kind: 'text', description: 'Only tags of this category.' },
      { name: 'reason', kind: 'text', description: 'Only tags that are rejected for this reason.' },
    ],
    replies: { 200: auditReply },
  },
} as const satisfies Record<string, Operation>;
