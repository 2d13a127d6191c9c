/** Entities: what the tags of memories name, such as persons and tools. */
import type { FromSchema } from 'json-schema-to-ts';
import type { MemoryId } from '../memory.js';
import { type Operation, route } from '../operation.js';
import { closed, count, flag, number, success, text, textList, textOrNull } from '../reply-parts.js';

/** As in its tag, `entity:<category>:<slug>`. */
export type EntityKey = { readonly category: string; readonly slug: string };

/** Places are concepts: the clients of AutoMem look for them there. */
export const ENTITY_CATEGORIES = [
  'people',
  'organizations',
  'tools',
  'projects',
  'concepts',
  'events',
  'opportunities',
] as const;
export type EntityCategory = (typeof ENTITY_CATEGORIES)[number];

export const ENTITY_LIST = { default: 100, maximum: 500 } as const;
/** The longest slug in a path; a tag is not longer. */
export const SLUG_LENGTH = 256;

export const entityBody = closed({
  id: { ...text, description: 'The tag: `entity:<category>:<slug>`.' },
  slug: text,
  category: text,
  name: text,
  aliases: { ...textList, description: 'Slugs of entities that were merged into this one.' },
  identity: { ...textOrNull, description: 'What consolidation wrote about the entity.' },
  identity_version: count,
  identity_updated_at: textOrNull,
  identity_source_count: {
    type: ['integer', 'null'],
    minimum: 0,
    description: 'Memories that the identity was made from.',
  },
  reference_count: { ...count, description: 'Memories with the tag.' },
  created_at: { ...text, description: 'The earliest timestamp of a memory with the tag.' },
  last_referenced_at: { ...text, description: 'The latest timestamp of a memory with the tag.' },
});

/** The most candidates in an answer. */
export const CANDIDATE_LIMIT = 100;
/** The most referenced entities that are compared. */
export const CANDIDATES_EXAMINED = 1_000;
/** Memories of each entity that are compared, the most important first. */
export const CANDIDATE_MEMORIES = 200;

export const mergeCandidateBody = closed({
  entity_a: text,
  entity_b: text,
  canonical: { ...text, description: 'The slug that would stay.' },
  alias: text,
  confidence: number,
  reason: text,
  auto_merge: { type: 'boolean', description: 'Certain enough to be merged without a review.' },
});

const mergeEntityBody = {
  type: 'object',
  additionalProperties: true,
  properties: {
    merge_into: {
      description: 'The slug of the entity that stays, or an alias of it. Required: a text that is not blank.',
    },
  },
} as const;

const NOT_WHOLE = 'Invalid limit parameter — must be an integer';
const OUTSIDE = `Invalid limit parameter — must be between 1 and ${ENTITY_LIST.maximum}`;

export const entityOperations = {
  mergeEntity: {
    ...route('POST /entity/:slug/merge', 'command', 'admin'),
    tag: 'Administration',
    summary: 'Make an entity an alias of another, and move its tags',
    description:
      'The merged entity becomes an alias: its tags move to the other one, and enrichment uses the other one from now on. A repeated request continues a move that was interrupted.',
    repeatable: true,
    query: [
      {
        name: 'category',
        kind: 'text',
        description: 'Narrows slugs that several categories have; by default the most referenced one.',
      },
    ],
    body: { schema: mergeEntityBody, missing: "'merge_into' slug is required", kind: 'small', isOptional: true },
    replies: {
      200: closed({
        status: success,
        merge: closed({
          canonical: { ...text, description: 'The slug of the entity that stays.' },
          alias: { ...text, description: 'The name of the entity that was merged.' },
          alias_slug: text,
          edges_moved: { ...count, description: 'Memories whose tag was changed.' },
        }),
      }),
    },
  },
  unmergeEntity: {
    ...route('POST /entity/:slug/unmerge', 'command', 'admin'),
    tag: 'Administration',
    summary: 'Undo the merge of an entity',
    description:
      'The alias becomes an entity again, with the memories that the merge took from it and the entities that were merged into it. Memories that were enriched since the merge are enriched again, so their contents decide which entity they name. Consolidation does not merge the two again. A repeated request continues a move that was interrupted.',
    repeatable: true,
    query: [
      {
        name: 'category',
        kind: 'text',
        description: 'Required when merged entities of several categories have the slug.',
      },
    ],
    replies: {
      200: closed({
        status: success,
        unmerge: closed({
          canonical: { ...text, description: 'The slug of the entity that it was merged into.' },
          alias: { ...text, description: 'The name of the entity whose merge was undone.' },
          alias_slug: text,
          edges_moved: { ...count, description: 'Memories whose tag was changed.' },
          enrichments_requested: { ...count, description: 'Memories that are enriched again.' },
        }),
      }),
    },
  },
  listEntities: {
    ...route('GET /entities', 'query', 'api'),
    cost: 10,
    tag: 'Graph',
    summary: 'The entities that memories name, the most referenced first',
    description:
      'Persons, organizations, tools, projects, concepts, events and opportunities that memories name by their tags. An entity exists as long as a memory has its tag.',
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
    ...route('GET /entities/merge-candidates', 'query', 'api'),
    cost: 60,
    tag: 'Graph',
    summary: 'Pairs of entities that may be the same',
    description:
      'Pairs of the most referenced entities whose slugs are similar, or that share memories. Nothing is merged.',
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
  getEntity: {
    ...route('GET /entity/:slug', 'query', 'api'),
    tag: 'Graph',
    summary: 'One entity, by its slug or an alias',
    description: 'One entity with its aliases and the number of memories that name it.',
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

const name = { type: 'string', minLength: 1 } as const;
const key = closed({ category: name, slug: name });

/** What tags cannot say about an entity: its aliases, its merge, its identity. Absent without a value. */
export const entityRecordSchema = closed(
  {
    category: name,
    slug: name,
    name,
    aliases: { type: 'array', items: name, description: 'Slugs of the entities that were merged into this one.' },
    created_at: name,
    updated_at: name,
  },
  {
    merged_into: { ...key, description: 'Present on an entity that was merged. That entity may be merged as well.' },
    identity: { ...name, description: 'What the language model wrote about the entity.' },
    identity_version: { type: 'integer', minimum: 1 },
    identity_updated_at: name,
    identity_source_count: { type: 'integer', minimum: 0 },
    derived_from: {
      type: 'array',
      items: name,
      description:
        'Memories that the record has words of: those that its identity was made from, or those that named a merged entity. Absent when they are not known.',
    },
    distinct_from: {
      type: 'array',
      items: closed(
        { category: name, slug: name },
        {
          at: {
            ...name,
            description: 'When its own merge was undone. Absent: that of an entity that was merged into it.',
          },
        },
      ),
      description:
        'Entities that it, or an entity that was merged into it, was merged into until a request undid the merge; the last one last. Consolidation does not merge it with them again.',
    },
    erased_at: { ...name, description: 'Present when no memory names the entity any more. Its slug is its id.' },
  },
);

type Stored = FromSchema<typeof entityRecordSchema>;
export type EntityRecord = Readonly<Omit<Stored, 'aliases' | 'derived_from' | 'distinct_from'>> & {
  readonly aliases: readonly string[];
  readonly distinct_from?: readonly (EntityKey & { readonly at?: string })[];
  readonly derived_from?: readonly MemoryId[];
};
