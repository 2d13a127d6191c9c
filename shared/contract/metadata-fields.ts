/** The metadata fields that recall searches: the origin and the topic of a memory. */
export const METADATA_FIELDS = [
  'source',
  'source_agent',
  'source_agents',
  'repo',
  'project',
  'tool',
  'surface',
  'applies_to',
  'trigger',
  'provider',
  'model',
  'entities',
] as const;
export type MetadataField = (typeof METADATA_FIELDS)[number];

/** `text`: the words of the value in lower case, separated by blanks. */
export type MetadataValue = { readonly field: MetadataField; readonly text: string };
