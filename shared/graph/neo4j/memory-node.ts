/** A memory as the properties of its node, and back. Beside the memory itself stand what its searches and orders need. */
import { memorySchema, type Memory } from '../../contract/memory.js';
import { ANALYZER_VERSION, analyze } from '../../text/analyzer.js';
import { metadataValues, searchWords } from '../../text/metadata-values.js';
import { int } from 'neo4j-driver';
import type { LoadedMemory } from '../graph.js';
import { facetsOf } from './facets.js';
import type { Row } from './neo4j.js';
import { rankOf } from './rank.js';

/** Everything but `locked`, which stays on every subject: setting it takes the lock and, as it does not change, writes nothing. */
export function memoryNode({ memory, vectorRef, version, revision }: LoadedMemory): Record<string, unknown> {
  const { metadata, entities, ...fields } = memory;
  return {
    ...fields,
    // No property holds a map, nor a list of lists.
    metadata: JSON.stringify(metadata),
    ...(entities === undefined ? {} : { entities: JSON.stringify(entities) }),
    ...(vectorRef === null ? {} : { vector_ref: vectorRef }),
    version: int(version),
    revision: int(revision),
    terms: analyze(memory.content).join(' '),
    tag_terms: memory.tags.flatMap((tag) => analyze(tag)).join(' '),
    analyzer_version: int(ANALYZER_VERSION),
    facets: facetsOf(memory),
    ...searchedMetadata(metadata),
    rank: rankOf(memory),
    locked: true,
  };
}

/** Nothing for the many memories without any. The values are JSON, as no property holds a list of maps. */
export function searchedMetadata(metadata: Memory['metadata']): {
  readonly metadata_values?: string;
  readonly metadata_words?: readonly string[];
} {
  const values = metadataValues(metadata);
  return values.length === 0 ? {} : { metadata_values: JSON.stringify(values), metadata_words: searchWords(values) };
}

/** Of the node `m`, all that `loadedMemory` reads and nothing of what is for searches. */
export const MEMORY_FIELDS = `m {${[...Object.keys(memorySchema.properties), 'vector_ref', 'version', 'revision']
  .map((field) => `.${field}`)
  .join(', ')}}`;

/** From what MEMORY_FIELDS selects. `apply` wrote it from a checked event; a property without a value comes as null. */
export function loadedMemory(fields: Row): LoadedMemory {
  const { vector_ref: vectorRef, version, revision, metadata, entities, ...rest } = fields;
  const present = Object.entries(rest).filter(([, value]) => value !== null);
  const maps = {
    metadata: JSON.parse(String(metadata)) as unknown,
    ...(entities ? { entities: JSON.parse(String(entities)) as unknown } : {}),
  };
  const memory = { ...Object.fromEntries(present), ...maps } as Memory;
  return { memory, vectorRef: vectorRef as string | null, version: Number(version), revision: Number(revision) };
}
