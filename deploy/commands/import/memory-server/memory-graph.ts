/** The lines of MCP's `memory` server: entities with observations, and relations between entities. Pure functions. */
import { createHash } from 'node:crypto';
import { AUTHORABLE_TYPES } from '../../../../shared/contract/association.js';
import { isRecord } from '../../../../shared/kernel/is-record.js';

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

/**
 * One memory for each observation, with the name in front so that a recall by name finds it; an entity without one has
 * its name alone.
 */
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

/**
 * The type of the service with the name of the relation's type (`part of`, `part-of`, `PART_OF`); null for another
 * name.
 */
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
