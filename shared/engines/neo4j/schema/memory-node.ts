/** Converts a memory to the properties of its node and back. Further properties serve searches and orders. */
import { int } from 'neo4j-driver';
import { type Memory, memorySchema } from '../../../contract/memory.js';
import type { LoadedMemory } from '../../../ports/graph.js';
import { analyze, ANALYZER_VERSION } from '../../../text/analyzer.js';
import { metadataValues, searchWords } from '../../../text/metadata-values.js';
import type { Row } from '../neo4j.js';
import { checksumOf, matchesChecksum } from './checksum.js';
import { facetsOf } from './facets.js';
import { rankOf } from './rank.js';

const STATE_FIELDS = [...Object.keys(memorySchema.properties), 'vector_ref', 'version', 'revision'];
/** Recording an access sets `last_accessed` without a new version. */
const CHECKSUM_FIELDS = STATE_FIELDS.filter((field) => field !== 'last_accessed');

/**
 * `locked` is true on every subject: setting it takes the lock and, because the value never changes, writes nothing.
 */
export function memoryNode({
  memory,
  vectorRef,
  version,
  revision,
}: Omit<LoadedMemory, 'position'>): Record<string, unknown> {
  const { metadata, entities, ...fields } = memory;
  const state = {
    ...fields,
    // A Neo4j property cannot hold a map or a list of lists.
    metadata: JSON.stringify(metadata),
    ...(entities === undefined ? {} : { entities: JSON.stringify(entities) }),
    ...(vectorRef === null ? {} : { vector_ref: vectorRef }),
  };
  return {
    ...state,
    seal: int(checksumOf({ ...state, version, revision }, CHECKSUM_FIELDS)),
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

/**
 * Empty for a memory without searched metadata, as most are. The values are JSON because a property cannot hold a list
 * of maps.
 */
export function searchedMetadata(metadata: Memory['metadata']): {
  readonly metadata_values?: string;
  readonly metadata_words?: readonly string[];
} {
  const values = metadataValues(metadata);
  return values.length === 0 ? {} : { metadata_values: JSON.stringify(values), metadata_words: searchWords(values) };
}

/** Selects the properties of node `m` that `loadedMemory` reads, without the properties for searches. */
export const MEMORY_FIELDS = `m {${[...STATE_FIELDS, 'seal', 'position'].map((field) => `.${field}`).join(', ')}}`;

/** Whether all fields of the selection belong to one version. */
export function matchesMemoryChecksum(fields: Row): boolean {
  return matchesChecksum(fields, CHECKSUM_FIELDS);
}

/** False for a selection that lacks a field of every memory: it was read while the node was written. */
export function isMemoryComplete(fields: Row): boolean {
  return memorySchema.required.every((field) => fields[field] !== null);
}

/**
 * Reads the selection of MEMORY_FIELDS. The cast is safe because `apply` wrote a validated event; a missing property
 * comes as null.
 */
export function loadedMemory(fields: Row): LoadedMemory {
  const { vector_ref: vectorRef, version, revision, seal: _seal, position, metadata, entities, ...rest } = fields;
  const present = Object.entries(rest).filter(([, value]) => value !== null);
  const maps = {
    metadata: JSON.parse(String(metadata)) as unknown,
    ...(entities ? { entities: JSON.parse(String(entities)) as unknown } : {}),
  };
  const memory = { ...Object.fromEntries(present), ...maps } as Memory;
  return {
    memory,
    vectorRef: vectorRef as string | null,
    version: Number(version),
    revision: Number(revision),
    position: Number(position ?? 0),
  };
}
