/** What a name may be the name of. There are no places: AutoMem's clients look for them among the concepts. */

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

/** In any case, in the plural or the singular; null when it is none. */
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
