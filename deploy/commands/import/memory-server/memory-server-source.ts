/**
 * The JSONL of MCP's `memory` server as records: observations and foreign relations as memories, then the other
 * relations as associations.
 */
import { readLines } from '../read-lines.js';
import type { RecordSource } from '../record-source.js';
import type { LeftOut, SourceRecord } from '../send-records.js';
import {
  associationType,
  type Entity,
  entryOf,
  memoriesOfEntity,
  memoryOfRelation,
  type Relation,
} from './memory-graph.js';

type Entry = { readonly where: string; readonly entry: Entity | Relation } | LeftOut;

/** The server itself keeps its whole graph in memory; here it is one id for each entity. */
export async function openMemoryServerFile(file: string): Promise<RecordSource> {
  const first = new Map<string, string>();
  const counts = { entities: 0, relations: 0, memories: 0, associations: 0 };
  for await (const line of entriesOf(file)) {
    if ('reason' in line) continue;
    const { entry } = line;
    if (entry.kind === 'relation') {
      counts.relations += 1;
      counts[associationType(entry) === null ? 'memories' : 'associations'] += 1;
      continue;
    }
    const items = memoriesOfEntity(entry);
    counts.entities += 1;
    counts.memories += items.length;
    if (!first.has(entry.name) && items[0]) first.set(entry.name, items[0].id);
  }
  return {
    found: `Memory server file with ${counts.entities} entities and ${counts.relations} relations.`,
    notes: [
      `Each observation is one memory. ${counts.associations} relations are associations between the first memories of their entities; the others are memories.`,
    ],
    leftOut: 0,
    records: counts.memories + counts.associations,
    memories: () => memoriesOf(file),
    associations: () => associationsOf(file, first),
    close: () => Promise.resolve(),
  };
}

async function* memoriesOf(file: string): AsyncGenerator<SourceRecord | LeftOut> {
  for await (const line of entriesOf(file)) {
    if ('reason' in line) {
      yield line;
      continue;
    }
    const { entry, where } = line;
    if (entry.kind === 'entity') yield* memoriesOfEntity(entry).map((item) => ({ where, item }));
    else if (associationType(entry) === null) yield { where, item: memoryOfRelation(entry) };
  }
}

async function* associationsOf(
  file: string,
  first: ReadonlyMap<string, string>,
): AsyncGenerator<SourceRecord | LeftOut> {
  for await (const line of entriesOf(file)) {
    if ('reason' in line || line.entry.kind !== 'relation') continue;
    const type = associationType(line.entry);
    if (type !== null) yield associationOf(line.where, line.entry, { type, first });
  }
}

function associationOf(
  where: string,
  { from, to }: Relation,
  { type, first }: { readonly type: string; readonly first: ReadonlyMap<string, string> },
): SourceRecord | LeftOut {
  const missing = [from, to].find((name) => !first.has(name));
  if (missing !== undefined) return { where, reason: `The file has no entity ${missing}` };
  return { where, item: { memory1_id: first.get(from), memory2_id: first.get(to), type } };
}

async function* entriesOf(file: string): AsyncGenerator<Entry> {
  for await (const { number, text, isTooLong } of readLines(file)) {
    if (text.trim() === '') continue;
    const where = `line ${number}`;
    const entry = isTooLong ? null : entryOf(parsed(text));
    yield entry ? { where, entry } : { where, reason: 'The line is no entity and no relation' };
  }
}

/** Undefined for text that is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
