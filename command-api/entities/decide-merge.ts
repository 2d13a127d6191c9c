/** Decides the merge of entities, and follows merged entities to the entities that they are now. */
import { isDeepStrictEqual } from 'node:util';
import type { EntityDescription, EntityRedraw } from '../../shared/contract/consolidation/commands.js';
import type { EntityKey, EntityRecord } from '../../shared/contract/entities/entity.js';
import type { EntityData, NewEvent } from '../../shared/contract/events.js';
import type { Memory, MemoryId } from '../../shared/contract/memory.js';
import { entityId, entityName, entityTag } from '../../shared/entities/entity-key.js';
import { type EntityTarget, mergeKey, type Merges, renamedEntities } from '../../shared/entities/rename-entities.js';
import { isRecord } from '../../shared/kernel/is-record.js';
import type { GraphReader, LoadedEntity, LoadedMemory } from '../../shared/ports/graph.js';
import { tagPrefixes, wholeTagKey } from '../../shared/text/tags.js';
import { changedProperties, type Decision, type Facts, memoryEvent, newEvent, NOTHING_CHANGES } from '../decision.js';

/** Neither of the two was merged, and they differ. A record is undefined for an entity that so far has only tags. */
export type MergeState = {
  readonly source: EntityKey;
  readonly target: EntityKey;
  readonly records: ReadonlyMap<string, LoadedEntity>;
  /** The memories that name the source; empty when they are too many to be named. */
  readonly sourceMemories: readonly MemoryId[];
  /** Absent for a merge by an administrator. */
  readonly reason?: string;
};

/** A record names at most as many memories that its words are from. */
const NAMED_SOURCES = 100;

/** The memories that name an entity; empty when they are too many to be named. */
export async function readSourceMemories(
  key: EntityKey,
  graph: Pick<GraphReader, 'idsByTag'>,
): Promise<readonly MemoryId[]> {
  const ids = await graph.idsByTag({ tags: [entityTag(key)], after: '', limit: NAMED_SOURCES + 1 });
  return ids.length > NAMED_SOURCES ? [] : ids;
}

export function decideMerge({ source, target, records, sourceMemories, reason }: MergeState, facts: Facts): Decision {
  const [from, into] = [source, target].map((key) => records.get(mergeKey(key)));
  const before = { source: recordOf(source, from, facts), target: recordOf(target, into, facts) };
  const { derived_from: sources = [], ...kept } = before.source;
  const merged: EntityRecord = {
    ...kept,
    aliases: [],
    merged_into: target,
    updated_at: facts.now,
    ...(sourceMemories.length > 0 && { derived_from: [...new Set([...sourceMemories, ...sources])] }),
  };
  const aliases = new Set([...before.target.aliases, source.slug, ...before.source.aliases]);
  aliases.delete(target.slug);
  const grown: EntityRecord = {
    ...before.target,
    ...distinctFrom(before, { ...target, aliases }),
    aliases: [...aliases],
    updated_at: facts.now,
  };
  const because = reason !== undefined && { reason };
  return decisionOf(
    [
      entityEvent(
        'entity.merged',
        { entity: merged, changed: ['aliases', 'merged_into'], ...because },
        { key: source, loaded: from, index: 0, facts },
      ),
      entityEvent(
        'entity.updated',
        { entity: grown, changed: ['aliases'], ...because },
        { key: target, loaded: into, index: 1, facts },
      ),
    ],
    sourceMemories,
  );
}

/** Consolidation must not merge the target with what it must not merge with the source, except with what it has now. */
function distinctFrom(
  { source, target }: { readonly source: EntityRecord; readonly target: EntityRecord },
  { category, slug, aliases }: EntityKey & { readonly aliases: ReadonlySet<string> },
): Pick<EntityRecord, 'distinct_from'> {
  const { distinct_from: own = [] } = target;
  const known = new Set(own.map(mergeKey));
  const added = (source.distinct_from ?? [])
    .map((one): EntityKey => ({ category: one.category, slug: one.slug }))
    .filter(
      (one) =>
        !known.has(mergeKey(one)) && (one.category !== category || (one.slug !== slug && !aliases.has(one.slug))),
    );
  return added.length === 0 ? {} : { distinct_from: [...added, ...own] };
}

/** The record is the whole state, so the data of its earlier versions is erased with the words that they had. */
export function decisionOf(events: readonly NewEvent[], requires: readonly MemoryId[]): Decision {
  return { events, requires, erases: events.map(({ subject }) => subject), vectors: [] };
}

/** What the language model wrote about the entity. */
export function decideIdentity(
  { entity: key, identity, sources, derivedFrom = [], reason }: Omit<EntityDescription, 'kind' | 'expectedVersion'>,
  loaded: LoadedEntity | undefined,
  facts: Facts,
): Decision {
  const before = recordOf(key, loaded, facts);
  const entity: EntityRecord = {
    ...before,
    identity,
    identity_version: (before.identity_version ?? 0) + 1,
    identity_updated_at: facts.now,
    identity_source_count: sources,
    derived_from: [...derivedFrom],
    updated_at: facts.now,
  };
  const changed = ['identity', 'identity_version', 'identity_updated_at', 'identity_source_count', 'derived_from'];
  const event = entityEvent('entity.updated', { entity, changed, reason }, { key, loaded, index: 0, facts });
  return decisionOf([event], derivedFrom);
}

/**
 * A record without words of deleted memories. When no memory names the entity, it has none left: its slug is its id,
 * under which `readRecords` finds its version when the entity returns.
 */
export function decideRedraw(
  { entity: key, record, reason }: Pick<EntityRedraw, 'entity' | 'record' | 'reason'>,
  loaded: LoadedEntity,
  facts: Facts,
): Decision {
  const { category, created_at } = loaded.entity;
  const slug = entityId(key);
  const erased = { category, slug, name: slug, aliases: [], created_at, erased_at: facts.now };
  const entity: EntityRecord = { ...(record ?? erased), updated_at: facts.now };
  const changed = changedFields(loaded.entity, entity);
  return decisionOf([entityEvent('entity.updated', { entity, changed, reason }, { key, loaded, index: 0, facts })], []);
}

export function changedFields(before: EntityRecord, after: EntityRecord): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof EntityRecord>;
  return [...names].filter((name) => !isDeepStrictEqual(before[name], after[name]));
}

function recordOf(key: EntityKey, loaded: LoadedEntity | undefined, { now }: Facts): EntityRecord {
  const isKept = loaded !== undefined && loaded.entity.erased_at === undefined;
  return isKept ? loaded.entity : { ...key, name: entityName(key.slug), aliases: [], created_at: now, updated_at: now };
}

type EventContext = {
  readonly key: EntityKey;
  readonly loaded: LoadedEntity | undefined;
  readonly index: number;
  readonly facts: Facts;
};

export function entityEvent(
  type: 'entity.merged' | 'entity.updated',
  data: EntityData,
  { key, loaded, index, facts }: EventContext,
) {
  const subject = entityId(key);
  return newEvent(facts, index, {
    type,
    data,
    subject,
    partitionKey: subject,
    version: (loaded?.version ?? 0) + 1,
    revision: (loaded?.revision ?? 0) + 1,
  });
}

/** The memories keep their revision and `updated_at`: what they say has not changed. */
export function decideMove(
  loaded: readonly LoadedMemory[],
  { source, target, merges }: { readonly source: EntityKey; readonly target: EntityKey; readonly merges: Merges },
  facts: Facts,
): Decision {
  const [oldTag, newTag] = [entityTag(source), entityTag(target)];
  const events = loaded
    .filter(({ memory }) => memory.tags.some((tag) => wholeTagKey(tag) === oldTag))
    .map((one, index) => {
      const memory = movedMemory(one.memory, { oldTag, newTag, merges });
      const data = { memory, vectorRef: one.vectorRef, changed: changedProperties(one.memory, memory) };
      return memoryEvent({ facts, loaded: one, index }, { type: 'memory.updated', data });
    });
  return events.length === 0 ? NOTHING_CHANGES : { events, requires: [], vectors: [] };
}

type Move = { readonly oldTag: string; readonly newTag: string; readonly merges: Merges };

export function movedMemory(before: Memory, { oldTag, newTag, merges }: Move): Memory {
  const replaced = before.tags.map((tag) => (wholeTagKey(tag) === oldTag ? newTag : tag));
  const tags = [...new Map(replaced.map((tag) => [wholeTagKey(tag), tag])).values()];
  const stated = before.metadata['entities'];
  return {
    ...before,
    tags,
    tag_prefixes: tagPrefixes(tags),
    ...(before.entities && { entities: mutableNames(renamedEntities(before.entities, merges)) }),
    ...(isNames(stated) && { metadata: { ...before.metadata, entities: renamedEntities(stated, merges) } }),
  };
}

/** The type of a memory comes from its schema, whose lists are not readonly. */
function mutableNames(names: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(names).map(([category, list]) => [category, [...list]]));
}

function isNames(value: unknown): value is Readonly<Record<string, readonly string[]>> {
  return (
    isRecord(value) &&
    Object.values(value).every((list) => Array.isArray(list) && list.every((name) => typeof name === 'string'))
  );
}

/** Merges in a row. Every merge ends at an entity that was not merged, so there is no cycle. */
const MOST_HOPS = 100;

type Graph = Pick<GraphReader, 'entities'>;

/** The records that the keys lead to, with those on the way, by `category:slug`. One read for each merge in a row. */
export async function followMerges(
  keys: readonly EntityKey[],
  graph: Graph,
): Promise<ReadonlyMap<string, LoadedEntity>> {
  const found = new Map<string, LoadedEntity>();
  let next: readonly EntityKey[] = keys;
  for (let hop = 0; next.length > 0 && hop < MOST_HOPS; hop++) {
    const loaded = await graph.entities(next);
    for (const one of loaded) found.set(mergeKey(one.entity), one);
    next = loaded.flatMap(({ entity }) => entity.merged_into ?? []).filter((key) => !found.has(mergeKey(key)));
  }
  return found;
}

/** As `followMerges`, with the erased records of keys that have no other: a new version follows theirs. */
export async function readRecords(
  keys: readonly EntityKey[],
  graph: Graph,
): Promise<ReadonlyMap<string, LoadedEntity>> {
  const found = await followMerges(keys, graph);
  const ends = keys.map((key) => endOfMerges(key, found)).filter((key) => !found.has(mergeKey(key)));
  const byErased = new Map(ends.map((key) => [mergeKey({ ...key, slug: entityId(key) }), key]));
  if (byErased.size === 0) return found;
  const erased = await graph.entities(ends.map((key) => ({ ...key, slug: entityId(key) })));
  const named = erased.flatMap((one) => {
    const key = byErased.get(mergeKey(one.entity));
    return key === undefined ? [] : [[mergeKey(key), one] as const];
  });
  return new Map([...found, ...named]);
}

/** The key at the end of the merges; the key itself when it was not merged. */
export function endOfMerges(key: EntityKey, records: ReadonlyMap<string, LoadedEntity>): EntityKey {
  let end = key;
  for (let hop = 0; hop < MOST_HOPS; hop++) {
    const into = records.get(mergeKey(end))?.entity.merged_into;
    if (into === undefined) return end;
    end = into;
  }
  return end;
}

/** The merges that concern these keys; empty when none of them was merged. `records`: as `followMerges` reads them. */
export function mergesOf(keys: readonly EntityKey[], records: ReadonlyMap<string, LoadedEntity>): Merges {
  const merges = new Map<string, EntityTarget>();
  for (const key of keys) {
    const end = endOfMerges(key, records);
    const record = records.get(mergeKey(end))?.entity;
    const name = record?.erased_at === undefined ? record?.name : entityName(end.slug);
    if (mergeKey(end) !== mergeKey(key) && name !== undefined)
      merges.set(mergeKey(key), { category: end.category, name });
  }
  return merges;
}
