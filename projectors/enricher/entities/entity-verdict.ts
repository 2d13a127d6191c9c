/** What the gate says of a name, and its reasons to refuse one. */
import type { EntityCategory } from './entity-category.js';

export type EntityVerdict =
  | { readonly ok: true; readonly category: EntityCategory; readonly slug: string; readonly confidence: number }
  | { readonly ok: false; readonly reason: EntityRefusal };

export type EntityRefusal =
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
