/** The fields of a memory's metadata that recall searches: where a memory comes from and what it is about. */
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

/** `text`: the value's words in lower case between blanks. */
export type MetadataValue = { readonly field: MetadataField; readonly text: string };
