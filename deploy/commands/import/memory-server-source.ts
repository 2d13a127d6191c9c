/** The JSONL of MCP's `memory` server: entities with observations, and relations, as memories and associations. */
import { createHash } from 'node:crypto';
import { AUTHORABLE_TYPES } from '../../../shared/contract/association.js';
import { isRecord } from '../../../shared/kernel/is-record.js';
import { readLines } from './read-lines.js';
import type { LeftOut, RecordSource, SourceRecord } from './send-records.js';

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

export type Entity = {
  readonly kind: 'entity';
  readonly name: string;
  readonly entityType: string;
  readonly observations: readonly string[];
};
export type Relation = { readonly kind: 'relation'; readonly from: string; readonly to: string; readonly type: string };

/** Null for any other value, for example a memory. */
export function entryOf(value: unknown): Entity | Relation | null {
  if (!isRecord(value)) return null;
  const { type, name, entityType = '', observations = [], from, to, relationType } = value;
  if (type === 'relation' && isText(from) && isText(to) && isText(relationType))
    return { kind: 'relation', from, to, type: relationType };
  const isEntity = type === 'entity' && isText(name) && typeof entityType === 'string';
  if (!isEntity || !Array.isArray(observations) || !observations.every((one) => typeof one === 'string')) return null;
  return { kind: 'entity', name, entityType, observations };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

type Item = Readonly<Record<string, unknown>> & { readonly id: string };

/** One memory for each observation, with the name in front; an entity without one has its name alone. */
export function memoriesOfEntity({ name, entityType, observations }: Entity): readonly Item[] {
  const kind = entityType.trim();
  const title = kind === '' ? name : `${name} (${kind})`;
  const contents = observations.filter((one) => one.trim() !== '').map((one) => `${title}: ${one}`);
  return (contents.length > 0 ? contents : [title]).map((content) => ({
    id: idOf(['observation', name, content]),
    content,
    tags: kind === '' ? [name] : [name, kind],
    metadata: { source: 'mcp-memory-server', entity: name, entity_type: kind },
  }));
}

/** A relation whose type the service does not have is a memory in words. */
export function memoryOfRelation({ from, to, type }: Relation): Item {
  return {
    id: idOf(['relation', from, type, to]),
    content: `${from} ${type.replaceAll('_', ' ')} ${to}`,
    tags: from === to ? [from] : [from, to],
    metadata: { source: 'mcp-memory-server', relation: { from, type, to } },
  };
}

/** The type of the service with this name (`part of`, `part-of`, `PART_OF`); null for another name. */
export function associationType({ type }: Relation): string | null {
  const name = type
    .trim()
    .toUpperCase()
    .replaceAll(/[\s-]+/gu, '_');
  return AUTHORABLE_TYPES.find((known) => known === name) ?? null;
}

/** The same words give the same UUID (version 8), so a repeat finds what it stored. */
function idOf(words: readonly string[]): string {
  const hex = createHash('sha256').update(JSON.stringify(words)).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
