/**
 * What the tags of memories cannot say about an entity: its aliases, that it was merged into another one, and its
 * identity.
 */
import type { FromSchema } from 'json-schema-to-ts';

const text = { type: 'string', minLength: 1 } as const;
const key = {
  type: 'object',
  additionalProperties: false,
  required: ['category', 'slug'],
  properties: { category: text, slug: text },
} as const;

/** A property without a value is absent. */
export const entityRecordSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['category', 'slug', 'name', 'aliases', 'created_at', 'updated_at'],
  properties: {
    category: text,
    slug: text,
    name: text,
    aliases: { type: 'array', items: text, description: 'Slugs of the entities that were merged into this one.' },
    merged_into: { ...key, description: 'Present on an entity that was merged. That entity may be merged as well.' },
    identity: { ...text, description: 'What the language model wrote about the entity.' },
    identity_version: { type: 'integer', minimum: 1 },
    identity_updated_at: text,
    identity_source_count: { type: 'integer', minimum: 0 },
    created_at: text,
    updated_at: text,
  },
} as const;

type Stored = FromSchema<typeof entityRecordSchema>;
export type EntityRecord = Readonly<Omit<Stored, 'aliases'>> & { readonly aliases: readonly string[] };
