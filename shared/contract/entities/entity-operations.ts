/** The operations on entities, as one part of the table of all operations. */
import type { Operation } from '../operation.js';
import { closed, count, flag, success } from '../reply-parts.js';
import { auditOperations } from './audit.js';
import { CANDIDATE_LIMIT, CANDIDATES_EXAMINED, ENTITY_LIST, entityBody, mergeCandidateBody } from './entity.js';
import { mergeOperations } from './merge.js';

const NOT_WHOLE = 'Invalid limit parameter — must be an integer';
const OUTSIDE = `Invalid limit parameter — must be between 1 and ${ENTITY_LIST.maximum}`;

export const entityOperations = {
  listEntities: {
    method: 'GET',
    path: '/entities',
    servedBy: 'query',
    access: 'api',
    summary: 'The entities that memories name, the most referenced first',
    query: [
      { name: 'category', kind: 'text', description: 'Only entities of this category, for example `people`.' },
      {
        name: 'limit',
        kind: 'integer',
        minimum: 1,
        refuse: NOT_WHOLE,
        refuseRange: OUTSIDE,
        description: `Default ${ENTITY_LIST.default}; above ${ENTITY_LIST.maximum} counts as ${ENTITY_LIST.maximum}.`,
      },
    ],
    replies: { 200: closed({ status: success, entities: { type: 'array', items: entityBody }, count }) },
  },
  listMergeCandidates: {
    method: 'GET',
    path: '/entities/merge-candidates',
    servedBy: 'query',
    access: 'api',
    summary: 'Pairs of entities that may be the same',
    replies: {
      200: closed({
        status: success,
        candidates: { type: 'array', maxItems: CANDIDATE_LIMIT, items: mergeCandidateBody },
        count,
        truncated: {
          ...flag,
          description: `There are more than ${CANDIDATE_LIMIT}, or more than ${CANDIDATES_EXAMINED} entities.`,
        },
      }),
    },
  },
  ...auditOperations,
  ...mergeOperations,
  getEntity: {
    method: 'GET',
    path: '/entity/:slug',
    servedBy: 'query',
    access: 'api',
    summary: 'One entity, by its slug or an alias',
    query: [
      {
        name: 'category',
        kind: 'text',
        description: 'Narrows a slug that several categories have; by default the most referenced one.',
      },
    ],
    replies: { 200: closed({ status: success, entity: entityBody }) },
  },
} as const satisfies Record<string, Operation>;
