/** Reads a whole archive of AutoMem before anything is sent: counts, ids, and the vectors that fit. */
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MemoryId } from '../../../../shared/contract/memory.js';
import { ArchiveError } from '../../../../shared/integrity/backup-format/archive-error.js';
import { isRecord } from '../../../../shared/kernel/is-record.js';
import { parseMemoryId } from '../../../../shared/kernel/memory-id.js';
import {
  kindOf,
  knownType,
  memoryIdOf,
  nodeOf,
  type RelationshipKind,
  relationshipOf,
  skippedLabel,
} from './automem-entries.js';
import { type Member, readMembers, readValues } from './read-members.js';

export const GRAPH_MEMBER = /^(?:\.\/)?falkordb\/falkordb_[^/]+\.json\.gz$/u;
const VECTOR_MEMBER = /^(?:\.\/)?qdrant\/qdrant_[^/]+\.json\.gz$/u;
/** Names of foreign members that the message shows. */
const SHOWN_MEMBERS = 5;

export type ArchiveFacts = {
  readonly memories: number;
  /** The memory of each node, by the id of the node in the archive. */
  readonly ids: ReadonlyMap<string, MemoryId>;
  readonly skippedNodes: Counts;
  readonly unknownTypes: number;
  readonly relationships: Readonly<Record<RelationshipKind, Counts>>;
  readonly vectors: VectorFacts | null;
};
/** `placeholders` are vectors that AutoMem made up where its embedder failed. */
export type VectorFacts = { readonly kept: number; readonly placeholders: number; readonly otherSizes: Counts };
type Counts = ReadonlyMap<string, number>;

/** Throws ArchiveError with what was found. `vectorFile` is null where no vector can be used. */
export async function checkArchive(file: string, vectorFile: VectorFile | null): Promise<ArchiveFacts> {
  let graph: Omit<ArchiveFacts, 'vectors'> | null = null;
  let vectors: VectorFacts | null = null;
  const others: string[] = [];
  for await (const member of readMembers(file)) {
    if (GRAPH_MEMBER.test(member.name)) {
      if (graph) throw new ArchiveError('The archive has two parts falkordb/falkordb_*.json.gz: give a file with one');
      graph = await checkGraph(member);
    } else if (VECTOR_MEMBER.test(member.name)) {
      if (vectors) throw new ArchiveError('The archive has two parts qdrant/qdrant_*.json.gz: give a file with one');
      vectors = await checkVectors(member, vectorFile);
    } else if (others.length < SHOWN_MEMBERS) others.push(member.name);
  }
  if (graph) return { ...graph, vectors };
  const found = [...(vectors ? ['qdrant/qdrant_*.json.gz'] : []), ...others].join(', ') || 'no member';
  throw new ArchiveError(
    `The archive has no part falkordb/falkordb_*.json.gz, which has the memories. Found: ${found}`,
  );
}

async function checkGraph({ chunks, name }: Member): Promise<Omit<ArchiveFacts, 'vectors'>> {
  const ids = new Map<string, MemoryId>();
  const skippedNodes = new Map<string, number>();
  const found = { nodes: 0, relationships: 0, memories: 0, unknownTypes: 0 };
  const relationships = { association: noCounts(), derived: noCounts(), elsewhere: noCounts(), unknown: noCounts() };
  let stats: unknown;
  for await (const { list, value } of readValues(chunks, ['nodes', 'relationships'])) {
    if (list === 'stats') stats = value;
    if (list === 'relationships') {
      found.relationships += 1;
      const relationship = relationshipOf(value);
      if (!relationship) throw new ArchiveError(`Relationship ${found.relationships} of ${name} has no type`);
      countUp(relationships[kindOf(relationship, ids)], relationship.type);
    }
    if (list === 'nodes') {
      // The kind of a relationship depends on all nodes, and AutoMem writes them first.
      if (found.relationships > 0) throw new ArchiveError(`${name} has relationships before its nodes`);
      found.nodes += 1;
      const node = nodeOf(value);
      if (!node) throw new ArchiveError(`Node ${found.nodes} of ${name} has no labels or no properties`);
      const label = skippedLabel(node);
      if (label !== null) {
        countUp(skippedNodes, label);
        continue;
      }
      found.memories += 1;
      if (knownType(node.properties['type']) === null) found.unknownTypes += 1;
      const id = memoryIdOf(node);
      if (id !== null) ids.set(node.id, id);
    }
  }
  requireStats(name, stats, { node_count: found.nodes, relationship_count: found.relationships });
  return { ids, skippedNodes, relationships, memories: found.memories, unknownTypes: found.unknownTypes };
}

async function checkVectors({ chunks, name }: Member, vectorFile: VectorFile | null): Promise<VectorFacts> {
  const facts = { kept: 0, placeholders: 0, otherSizes: new Map<string, number>() };
  let points = 0;
  let stats: unknown;
  for await (const { list, value } of readValues(chunks, ['points'])) {
    if (list === 'stats') stats = value;
    if (list !== 'points') continue;
    points += 1;
    const id = isRecord(value) ? parseMemoryId(String(value['id'])) : null;
    const vector = isRecord(value) ? value['vector'] : null;
    if (id === null || !isVector(vector)) continue;
    if (vector.length !== vectorFile?.size) countUp(facts.otherSizes, String(vector.length));
    else if (isPlaceholder(vector)) facts.placeholders += 1;
    else {
      await vectorFile.add(id, vector);
      facts.kept += 1;
    }
  }
  requireStats(name, stats, { points_count: points });
  return facts;
}

/** AutoMem writes the counts last, so a part without them, or with other counts, is not complete. */
function requireStats(name: string, stats: unknown, counted: Readonly<Record<string, number>>): void {
  if (!isRecord(stats)) throw new ArchiveError(`${name} is not a part of an AutoMem archive: it has no stats`);
  for (const [key, count] of Object.entries(counted)) {
    if (stats[key] !== count)
      throw new ArchiveError(`${name} is not whole: its ${key} is ${String(stats[key])}, and it has ${count}`);
  }
}

function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'number');
}

/** AutoMem's placeholders are random numbers from 0 to 1; an embedding of 16 or more numbers has negative ones. */
function isPlaceholder(vector: readonly number[]): boolean {
  return vector.length >= 16 && vector.every((one) => one >= 0 && one < 1);
}

function noCounts(): Map<string, number> {
  return new Map();
}

function countUp(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

export type VectorFile = {
  readonly size: number;
  readonly add: (id: MemoryId, vector: readonly number[]) => Promise<void>;
  readonly get: (id: MemoryId) => Promise<readonly number[] | null>;
  readonly close: () => Promise<void>;
};

export async function openVectorFile(size: number): Promise<VectorFile> {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-import-'));
  const handle = await open(join(folder, 'vectors'), 'w+');
  const bytes = size * Float32Array.BYTES_PER_ELEMENT;
  const slots = new Map<MemoryId, number>();
  return {
    size,
    add: async (id, vector) => {
      const slot = slots.get(id) ?? slots.size;
      slots.set(id, slot);
      await handle.write(new Uint8Array(Float32Array.from(vector).buffer), 0, bytes, slot * bytes);
    },
    get: async (id) => {
      const slot = slots.get(id);
      if (slot === undefined) return null;
      const vector = new Float32Array(size);
      await handle.read(new Uint8Array(vector.buffer), 0, bytes, slot * bytes);
      return Array.from(vector);
    },
    close: async () => {
      await handle.close();
      await rm(folder, { recursive: true });
    },
  };
}
