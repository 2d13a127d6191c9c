/** Entities in answers: what the tags of memories name, such as persons and tools. */
import { closed, count, number, text, textList, textOrNull } from '../reply-parts.js';

/** As in its tag, `entity:<category>:<slug>`. */
export type EntityKey = { readonly category: string; readonly slug: string };

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
