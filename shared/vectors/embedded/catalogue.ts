/**
 * The filter fields of each point by slot, and the slots of each tag key. The slot of a removed point is reused for the next new point.
 */
import type { MemoryId, Timestamp } from '../../contract/memory.js';
import { wholeTagKey } from '../../text/tags.js';
import type { PointPayload } from '../vectors.js';

export type Entry = { readonly id: MemoryId; readonly version: number; readonly payload: PointPayload };
/** Key -> slots. */
export type Postings = ReadonlyMap<string, ReadonlySet<number>>;

export type Catalogue = {
  /** By slot; undefined for a removed point. */
  readonly entries: readonly (Entry | undefined)[];
  readonly wholeTags: Postings;
  readonly tagPrefixes: Postings;
  readonly size: () => number;
  /** The slots of all points except points of these types. Cached until a point is added, removed or changes its type. */
  readonly slotsWithoutTypes: (types: readonly string[]) => Uint32Array;
  readonly countOfType: (type: string) => number;
  /** Slots that may hold points which are not current at this time. Mostly few do, and a search tests no other for its state. */
  readonly uncertain: (now: Timestamp) => ReadonlySet<number>;
  readonly versionOf: (id: MemoryId) => number | undefined;
  /** Returns the slot. */
  readonly put: (entry: Entry) => number;
  readonly drop: (id: MemoryId) => void;
};

/** Enrichment and recall each exclude one set of types; other sets are rare. */
const CACHED_LISTS_LIMIT = 8;

export function createCatalogue(): Catalogue {
  const entries: (Entry | undefined)[] = [];
  const slots = new Map<MemoryId, number>();
  const free: number[] = [];
  const wholeTags = new Map<string, Set<number>>();
  const tagPrefixes = new Map<string, Set<number>>();

  const typeCounts = new Map<string, number>();
  /** Slots of points that are archived or have an end of validity, or whose validity began after `latestNow`. */
  const uncertain = new Set<number>();
  /** The latest time of a search. */
  let latestNow: Timestamp = '';
  /** Cached lists of slots by excluded types. */
  const slotsByExcludedTypes = new Map<string, Uint32Array>();

  function slotsWithoutTypes(types: readonly string[]): Uint32Array {
    const left = types.filter((type) => (typeCounts.get(type) ?? 0) > 0);
    const name = JSON.stringify(left);
    const known = slotsByExcludedTypes.get(name);
    if (known) return known;
    const all = Uint32Array.from(slots.values());
    const found = left.length === 0 ? all : all.filter((slot) => !left.includes(entries[slot]?.payload.type ?? ''));
    if (slotsByExcludedTypes.size >= CACHED_LISTS_LIMIT) slotsByExcludedTypes.clear();
    slotsByExcludedTypes.set(name, found);
    return found;
  }

  function removeFromIndexes(slot: number, { type, tags, tagPrefixes: prefixes }: PointPayload): void {
    for (const tag of tags) remove(wholeTags, wholeTagKey(tag), slot);
    for (const prefix of prefixes) remove(tagPrefixes, prefix, slot);
    typeCounts.set(type, (typeCounts.get(type) ?? 1) - 1);
    uncertain.delete(slot);
  }

  function addToIndexes(
    slot: number,
    { type, tags, tagPrefixes: prefixes, archived, validFrom, validUntil }: PointPayload,
  ): void {
    for (const tag of tags) add(wholeTags, wholeTagKey(tag), slot);
    for (const prefix of prefixes) add(tagPrefixes, prefix, slot);
    typeCounts.set(type, (typeCounts.get(type) ?? 0) + 1);
    if (archived || validUntil !== null || (validFrom !== null && validFrom > latestNow)) uncertain.add(slot);
  }

  return {
    entries,
    wholeTags,
    tagPrefixes,
    size: () => slots.size,
    slotsWithoutTypes,
    countOfType: (type) => typeCounts.get(type) ?? 0,
    uncertain: (now) => {
      if (now < latestNow) return new Set(slots.values());
      latestNow = now;
      for (const slot of uncertain) if (isCurrentFrom(entries[slot]?.payload, now)) uncertain.delete(slot);
      return uncertain;
    },
    versionOf: (id) => entries[slots.get(id) ?? -1]?.version,
    put: (entry) => {
      const slot = slots.get(entry.id) ?? free.pop() ?? entries.length;
      const before = entries[slot];
      if (before) removeFromIndexes(slot, before.payload);
      entries[slot] = entry;
      if (before?.payload.type !== entry.payload.type) slotsByExcludedTypes.clear();
      slots.set(entry.id, slot);
      addToIndexes(slot, entry.payload);
      return slot;
    },
    drop: (id) => {
      const slot = slots.get(id);
      const entry = slot === undefined ? undefined : entries[slot];
      if (slot === undefined || entry === undefined) return;
      removeFromIndexes(slot, entry.payload);
      entries[slot] = undefined;
      slots.delete(id);
      slotsByExcludedTypes.clear();
      free.push(slot);
    },
  };
}

/** Whether the point is current at this time and at every later one. */
function isCurrentFrom(payload: PointPayload | undefined, now: Timestamp): boolean {
  if (payload === undefined) return true;
  const { archived, validFrom, validUntil } = payload;
  return !archived && validUntil === null && (validFrom === null || validFrom <= now);
}

function add(postings: Map<string, Set<number>>, key: string, slot: number): void {
  const slots = postings.get(key);
  if (slots) slots.add(slot);
  else postings.set(key, new Set([slot]));
}

function remove(postings: Map<string, Set<number>>, key: string, slot: number): void {
  const slots = postings.get(key);
  slots?.delete(slot);
  if (slots?.size === 0) postings.delete(key);
}
