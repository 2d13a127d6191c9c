/** Decides the undo of a merge: the records of the entities, and which memories go back to the entity. Pure. */
import type { EntityKey, EntityRecord } from '../../shared/contract/entities/entity.js';
import type { NewEvent } from '../../shared/contract/events.js';
import type { Memory, Timestamp } from '../../shared/contract/memory.js';
import { entityTag } from '../../shared/entities/entity-key.js';
import { mergeKey } from '../../shared/entities/rename-entities.js';
import { withoutIdentity } from '../../shared/entities/without-identity.js';
import type { LoadedEntity, LoadedMemory } from '../../shared/ports/graph.js';
import { entitySlug } from '../../shared/text/entity-tags.js';
import { tagPrefixes, wholeTagKey } from '../../shared/text/tags.js';
import { changedProperties, type Decision, type Facts, memoryEvent, NOTHING_CHANGES } from '../decision.js';
import { enrichmentRequest } from '../enrichment/reprocess.js';
import { changedFields, decisionOf, entityEvent, movedMemory } from './decide-merge.js';

export type UnmergeState = {
  /** From the merged entity along the merges to the entity that it is now, both included. */
  readonly path: readonly EntityKey[];
  /** The entities that were merged into it. */
  readonly below: readonly EntityKey[];
  /** The other entities that were merged into the one that it is now, without the merged entity itself. */
  readonly others: readonly EntityKey[];
  /** The records of all of them, by `mergeKey`. */
  readonly records: ReadonlyMap<string, LoadedEntity>;
  /** Entities of the path whose identity was written since the one before them was merged into them, by `mergeKey`. */
  readonly mixed: ReadonlySet<string>;
};

/**
 * When an event was committed. A restored backup may lack the event: then the position is undefined, and the time
 * decides.
 */
export type Moment = { readonly position: number | undefined; readonly time: Timestamp };

/** By positions, because two clocks wrote the times. */
export function isAfter(one: Moment, other: Moment): boolean {
  return one.position === undefined || other.position === undefined
    ? one.time > other.time
    : one.position > other.position;
}

/**
 * The entity gets its aliases and its identity back. The entities above it lose these aliases, and an identity that was
 * written since the merge: it may be about both.
 */
export function decideUnmerge({ path, below, others, records, mixed }: UnmergeState, facts: Facts): Decision {
  const inside = new Set([...path.slice(0, 1), ...below].map(({ slug }) => slug));
  for (const { slug } of others) inside.delete(slug); // still an alias: an entity of another category
  const events: NewEvent[] = [];
  for (const [index, key] of path.entries()) {
    const loaded = records.get(mergeKey(key));
    if (loaded === undefined) continue; // its words were erased
    const after =
      index === 0
        ? separated(loaded.entity, { above: path.slice(1), below, now: facts.now })
        : withoutPart(loaded.entity, { inside, isMixed: mixed.has(mergeKey(key)) });
    const changed = changedFields(loaded.entity, after);
    if (changed.length === 0) continue;
    const entity: EntityRecord = { ...after, updated_at: facts.now };
    events.push(entityEvent('entity.updated', { entity, changed }, { key, loaded, index: events.length, facts }));
  }
  return decisionOf(events, []);
}

type Separation = { readonly above: readonly EntityKey[]; readonly below: readonly EntityKey[]; readonly now: string };

function separated(
  { merged_into: _into, derived_from: sources, distinct_from: earlier = [], ...kept }: EntityRecord,
  { above, below, now }: Separation,
): EntityRecord {
  const named = new Set(above.map(mergeKey));
  const others = above.map(({ category, slug }) => ({ category, slug, at: now }));
  return {
    ...kept,
    aliases: below.map(({ slug }) => slug),
    distinct_from: [...earlier.filter((one) => !named.has(mergeKey(one))), ...others],
    ...(kept.identity !== undefined && sources !== undefined && { derived_from: sources }),
  };
}

function withoutPart(
  entity: EntityRecord,
  { inside, isMixed }: { readonly inside: ReadonlySet<string>; readonly isMixed: boolean },
): EntityRecord {
  const aliases = entity.aliases.filter((alias) => !inside.has(alias));
  return { ...(isMixed ? withoutIdentity(entity) : entity), aliases };
}

/** One version of a memory, oldest first in a history. */
export type TagVersion = { readonly isMove: boolean; readonly tags: readonly string[] };
export type MemoryHistory = {
  readonly versions: readonly TagVersion[];
  /** The position of its last enrichment. */
  readonly enrichedAt: number | undefined;
};
export type MemoryWithHistory = { readonly loaded: LoadedMemory; readonly history: MemoryHistory };

export type Return = {
  readonly source: EntityKey;
  readonly name: string;
  /** The entity that the source was until the undo. */
  readonly end: EntityKey;
  /** The source and what was merged into it. */
  readonly own: readonly EntityKey[];
  /** The entities on the way to the end. */
  readonly above: readonly EntityKey[];
  /** The other entities that were merged into the end. */
  readonly others: readonly EntityKey[];
  readonly mergedAt: Moment;
  readonly undoneAt: Moment;
};

/**
 * A memory goes back to the source when a merge took a tag of the source from it, and keeps the tag of the end when it
 * had that, too. Where enrichment found the end between merge and undo, or in a memory that named both, it decides
 * again. The revision stays.
 */
export function decideReturn(memories: readonly MemoryWithHistory[], change: Return, facts: Facts): Decision {
  const events: NewEvent[] = [];
  for (const { loaded, history } of memories) {
    const event = returned(loaded, { history, change, version: { facts, loaded, index: events.length } });
    if (event !== null) events.push(event);
  }
  return events.length === 0 ? NOTHING_CHANGES : { events, requires: [], vectors: [] };
}

/** Null when the memory stays as it is. */
function returned(
  { memory: before, vectorRef }: LoadedMemory,
  {
    history,
    change,
    version,
  }: {
    readonly history: MemoryHistory;
    readonly change: Return;
    readonly version: { readonly facts: Facts; readonly loaded: LoadedMemory; readonly index: number };
  },
): NewEvent | null {
  const { source, name, end, mergedAt, undoneAt } = change;
  const own = new Set(change.own.map(entityTag));
  const origins = originsOf(history.versions, change);
  const isTaken = [...origins].some((tag) => own.has(tag));
  const isBoth = isTaken && [...origins].some((tag) => !own.has(tag));
  const [oldTag, newTag] = [entityTag(end), entityTag(source)];
  const merges = new Map([[mergeKey(end), { category: source.category, name }]]);
  const memory = isBoth ? withTag(before, newTag) : isTaken ? movedMemory(before, { oldTag, newTag, merges }) : before;
  const { enriched_at: time, entities = {} } = before;
  const isNamed = entities[end.category]?.some((found) => entitySlug(found) === end.slug) === true;
  const enriched = time === undefined ? undefined : { position: history.enrichedAt, time };
  const isBetween = enriched !== undefined && isAfter(enriched, mergedAt) && isAfter(undoneAt, enriched);
  if (before.type !== 'MetaPattern' && isNamed && (isBoth || isBetween)) return enrichmentRequest(memory, version);
  if (!isTaken) return null;
  const data = { memory, vectorRef, changed: changedProperties(before, memory) };
  return memoryEvent(version, { type: 'memory.updated', data });
}

function withTag(memory: Memory, tag: string): Memory {
  const tags = [...memory.tags, tag];
  return { ...memory, tags, tag_prefixes: tagPrefixes(tags) };
}

/**
 * The tags that merges turned into the tag of the end; the tag of the end itself when the memory had it without a
 * merge. Empty when the history is erased.
 */
function originsOf(history: readonly TagVersion[], { own, above, others, end }: Return): ReadonlySet<string> {
  const way = [...above, end].map(entityTag);
  const merged = new Set([...own, ...above, ...others].map(entityTag));
  let origins = new Map<string, ReadonlySet<string>>();
  for (const { isMove, tags } of history) {
    const present = new Set(tags.map(wholeTagKey));
    const gained = [...present].filter((tag) => !origins.has(tag));
    const lost = [...origins].filter(([tag]) => !present.has(tag));
    const next = new Map(
      [...present].map((tag) => [tag, new Set([...(origins.get(tag) ?? [])].filter((one) => !gained.includes(one)))]),
    );
    for (const tag of gained) next.set(tag, new Set([tag]));
    const [moved, ...more] = isMove ? lost : [];
    if (moved !== undefined && more.length === 0) {
      const into = gained[0] ?? (merged.has(moved[0]) ? way.find((tag) => present.has(tag)) : undefined);
      if (into !== undefined)
        next.set(into, new Set([...(gained.length > 0 ? [] : (next.get(into) ?? [])), ...moved[1]]));
    }
    origins = next;
  }
  return origins.get(entityTag(end)) ?? new Set();
}
