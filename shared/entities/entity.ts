/** The names of categories, and the verdict of the quality gate on a name. */
import { ENTITY_CATEGORIES, type EntityCategory } from '../contract/entities/entity.js';

/** Reads a category in upper or lower case, plural or singular; null when the text names none. */
export function readEntityCategory(text: string): EntityCategory | null {
  const name = text.trim().toLowerCase();
  return ENTITY_CATEGORIES.find((category) => category === name || SINGULAR[category] === name) ?? null;
}

const SINGULAR: Readonly<Record<EntityCategory, string>> = {
  people: 'person',
  organizations: 'organization',
  tools: 'tool',
  projects: 'project',
  concepts: 'concept',
  events: 'event',
  opportunities: 'opportunity',
};

export type EntityVerdict =
  | { readonly ok: true; readonly category: EntityCategory; readonly slug: string; readonly confidence: number }
  | { readonly ok: false; readonly reason: EntityRejection };

export type EntityRejection =
  | 'unknown_category'
  | 'invalid_entity_tag'
  | 'too_short'
  | 'unicode_escape_slug'
  | 'duration_or_count_slug'
  | 'generated_fragment_slug'
  | 'markdown_or_code_fragment'
  | 'generated_phrase_slug'
  | 'generic_entity_slug'
  | 'low_signal_people_slug'
  | 'non_name_people_slug'
  | 'tool_or_organization_looking_people';
