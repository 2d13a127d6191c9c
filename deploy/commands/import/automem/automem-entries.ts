/** The entries of AutoMem's archives: how a node becomes a memory and a relationship an association. Pure functions. */
import { AUTHORABLE_TYPES } from '../../../../shared/contract/association.js';
import { MEMORY_TYPE_ALIASES, MEMORY_TYPES, type MemoryId } from '../../../../shared/contract/memory.js';
import { messageOf } from '../../../../shared/kernel/errors.js';
import { isRecord } from '../../../../shared/kernel/is-record.js';
import { parseMemoryId } from '../../../../shared/kernel/memory-id.js';
import type { LeftOut, SourceRecord } from '../send-records.js';

type Properties = Readonly<Record<string, unknown>>;

export type ArchiveNode = { readonly id: string; readonly labels: readonly string[]; readonly properties: Properties };

/** Null for a value of another shape. */
export function nodeOf(value: unknown): ArchiveNode | null {
  if (!isRecord(value) || !Array.isArray(value['labels']) || !isRecord(value['properties'])) return null;
  return { id: String(value['id']), labels: value['labels'].map(String), properties: value['properties'] };
}

/** The label under which a node is skipped; null for a memory. Our consolidation makes its own MetaMemory nodes. */
export function skippedLabel({ labels, properties }: ArchiveNode): string | null {
  if (labels.includes('MetaMemory') || properties['type'] === 'MetaPattern') return 'MetaMemory';
  return labels.includes('Memory') ? null : (labels[0] ?? 'without a label');
}

export function memoryIdOf({ properties }: ArchiveNode): MemoryId | null {
  return parseMemoryId(String(properties['id']));
}

const COPIED = [
  'content',
  'tags',
  'importance',
  'confidence',
  'timestamp',
  'updated_at',
  'last_accessed',
  't_valid',
  't_invalid',
  'summary',
  'relevance_score',
  'archived',
  'archived_at',
  'protected_reason',
] as const;

/** `number` counts the nodes of the archive from 1. The vector is added by the caller. */
export function memoryRecord(node: ArchiveNode, number: number): SourceRecord | LeftOut {
  const { properties } = node;
  const where = `node ${number} (${String(properties['id'])})`;
  const metadata = metadataOf(properties['metadata']);
  if (typeof metadata === 'string') return { where, reason: metadata };
  const copied = COPIED.map((name) => [name, properties[name]] as const).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  const type = knownType(properties['type']);
  return {
    where,
    item: {
      id: properties['id'],
      ...Object.fromEntries(copied),
      ...(metadata === null ? {} : { metadata }),
      ...(type === null ? {} : { type }),
      ...protection(properties['protected']),
    },
  };
}

/** AutoMem stores metadata as JSON text. A text result is the reason why the metadata cannot be read. */
function metadataOf(value: unknown): Properties | string | null {
  if (value === undefined || value === null || value === '') return null;
  if (isRecord(value)) return value;
  try {
    const parsed: unknown = JSON.parse(String(value));
    return isRecord(parsed) ? parsed : 'The metadata is not a JSON object';
  } catch (error) {
    return `The metadata is not JSON: ${messageOf(error)}`;
  }
}

/** AutoMem stores any text as type. The service classifies the content where it does not know the type. */
export function knownType(type: unknown): string | null {
  const name = String(type).toLowerCase();
  const isKnown =
    MEMORY_TYPES.some((known) => known.toLowerCase() === name) || Object.hasOwn(MEMORY_TYPE_ALIASES, name);
  return isKnown ? name : null;
}

/** AutoMem accepts a reason in place of `true`. */
function protection(value: unknown): Properties {
  if (typeof value === 'string' && value !== '') return { protected: true, protected_reason: value };
  return typeof value === 'boolean' ? { protected: value } : {};
}

export type ArchiveRelationship = {
  readonly source: string;
  readonly target: string;
  readonly type: string;
  readonly properties: Properties;
};

export function relationshipOf(value: unknown): ArchiveRelationship | null {
  if (!isRecord(value) || typeof value['type'] !== 'string') return null;
  const properties = isRecord(value['properties']) ? value['properties'] : {};
  return { source: String(value['source_id']), target: String(value['target_id']), type: value['type'], properties };
}

/** Types that enrichment and consolidation write, also under their older names. The service derives them again. */
const DERIVED_TYPES = new Set([
  'SIMILAR_TO',
  'PRECEDED_BY',
  'DISCOVERED',
  'EXPLAINS',
  'SHARES_THEME',
  'PARALLEL_CONTEXT',
]);

/** `elsewhere`: an end is not a memory of the archive (an entity, a pattern). */
export type RelationshipKind = 'association' | 'derived' | 'elsewhere' | 'unknown';

export function kindOf(
  { source, target, type }: ArchiveRelationship,
  ids: ReadonlyMap<string, MemoryId>,
): RelationshipKind {
  if (!ids.has(source) || !ids.has(target)) return 'elsewhere';
  if (DERIVED_TYPES.has(type)) return 'derived';
  return (AUTHORABLE_TYPES as readonly string[]).includes(type) ? 'association' : 'unknown';
}

/** An association without a strength has the number by which AutoMem's reads rank it. */
export function associationRecord(
  { source, target, type, properties }: ArchiveRelationship,
  number: number,
  ids: ReadonlyMap<string, MemoryId>,
): SourceRecord {
  const strength =
    properties['strength'] ?? properties['score'] ?? properties['confidence'] ?? properties['similarity'];
  const { created_at, updated_at } = properties;
  return {
    where: `relationship ${number}`,
    item: {
      memory1_id: ids.get(source),
      memory2_id: ids.get(target),
      type,
      ...(strength === undefined || strength === null ? {} : { strength }),
      properties,
      ...(created_at === undefined ? {} : { created_at }),
      ...(updated_at === undefined ? {} : { updated_at }),
    },
  };
}
