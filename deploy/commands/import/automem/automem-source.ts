/** An archive of AutoMem as records: its memories with the vectors that fit, then its associations. */
import type { LeftOut, RecordSource, SourceRecord } from '../send-records.js';
import {
  associationRecord,
  kindOf,
  memoryIdOf,
  memoryRecord,
  nodeOf,
  relationshipOf,
  skippedLabel,
} from './automem-entries.js';
import { type ArchiveFacts, checkArchive, GRAPH_MEMBER, openVectorFile, type VectorFile } from './check-archive.js';
import { readMembers, readValues } from './read-members.js';

/** `vectorSize` of the service; null: without the vectors of the archive. Checks the whole archive first. */
export async function openAutomemArchive(file: string, vectorSize: number | null): Promise<RecordSource> {
  const vectors = vectorSize === null ? null : await openVectorFile(vectorSize);
  try {
    const facts = await checkArchive(file, vectors);
    return {
      ...describe(facts, vectorSize),
      memories: () => memoriesOf(file, vectors),
      associations: () => associationsOf(file, facts),
      close: async () => vectors?.close(),
    };
  } catch (error) {
    await vectors?.close();
    throw error;
  }
}

async function* memoriesOf(file: string, vectors: VectorFile | null): AsyncGenerator<SourceRecord | LeftOut> {
  let number = 0;
  for await (const { list, value } of graphValues(file)) {
    if (list !== 'nodes') continue;
    number += 1;
    const node = nodeOf(value);
    if (!node || skippedLabel(node) !== null) continue;
    const record = memoryRecord(node, number);
    const id = memoryIdOf(node);
    const vector = id === null ? null : ((await vectors?.get(id)) ?? null);
    yield 'item' in record && vector ? { ...record, item: { ...record.item, embedding: vector } } : record;
  }
}

async function* associationsOf(file: string, { ids }: ArchiveFacts): AsyncGenerator<SourceRecord> {
  let number = 0;
  for await (const { list, value } of graphValues(file)) {
    if (list !== 'relationships') continue;
    number += 1;
    const relationship = relationshipOf(value);
    if (!relationship || kindOf(relationship, ids) !== 'association') continue;
    yield associationRecord(relationship, number, ids);
  }
}

async function* graphValues(file: string) {
  for await (const { name, chunks } of readMembers(file)) {
    if (!GRAPH_MEMBER.test(name)) continue;
    yield* readValues(chunks, ['nodes', 'relationships']);
    return;
  }
}

type Description = Pick<RecordSource, 'found' | 'notes' | 'leftOut' | 'records'>;

function describe(facts: ArchiveFacts, vectorSize: number | null): Description {
  const { memories, relationships, skippedNodes, unknownTypes } = facts;
  const { association, derived, elsewhere, unknown } = relationships;
  const notes = [
    listed(skippedNodes, 'skipped, nodes that are not memories or are derived'),
    listed(derived, 'skipped, associations that the service derives again'),
    listed(elsewhere, 'skipped, associations with an end that is not a memory of the archive'),
    listed(unknown, 'left out, associations of types that the service does not know'),
    unknownTypes > 0
      ? `${unknownTypes} memories have a type that the service does not know: classified by content.`
      : null,
    vectorNote(facts, vectorSize),
  ];
  return {
    found: `AutoMem archive with ${memories} memories and ${total(association)} associations.`,
    notes: notes.filter((note) => note !== null),
    leftOut: total(unknown),
    records: memories + total(association),
  };
}

function vectorNote({ memories, vectors }: ArchiveFacts, vectorSize: number | null): string {
  const again = 'are embedded again';
  if (vectors === null) return `Vectors: the archive has none; all memories ${again}.`;
  if (vectorSize === null) return `Vectors: not used; all memories ${again}.`;
  const { kept, placeholders, otherSizes } = vectors;
  const reasons = [
    ...[...otherSizes].map(
      ([size, count]) => `${count} vectors have ${size} numbers, and the service's have ${vectorSize}`,
    ),
    ...(placeholders > 0 ? [`${placeholders} are placeholders`] : []),
  ];
  const why = reasons.length > 0 ? ` (${reasons.join('; ')})` : '';
  if (kept === 0) return `Vectors: none used${why}; all memories ${again}.`;
  return `Vectors: ${kept} of the archive used; ${Math.max(0, memories - kept)} memories ${again}${why}.`;
}

function listed(counts: ReadonlyMap<string, number>, what: string): string | null {
  if (counts.size === 0) return null;
  const parts = [...counts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, count]) => `${count} ${name}`);
  return `${total(counts)} ${what}: ${parts.join(', ')}.`;
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
