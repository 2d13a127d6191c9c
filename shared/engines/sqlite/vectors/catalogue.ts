/**
 * The filter fields of each point by slot, and the slots of each tag key. The slot of a removed point is reused for the
 * next new point.
 */
import type { MemoryId, Timestamp } from '../../../contract/memory.js';
import type { PointPayload } from '../../../ports/vectors.js';
import { wholeTagKey } from '../../../text/tags.js';

/** The fields of a point that a filter tests by slot; tags are tested by their postings. */
export type FilterFields = Pick<PointPayload, 'type' | 'timestamp' | 'validFrom' | 'validUntil' | 'archived'>;
export type Entry = { readonly id: MemoryId; readonly version: number; readonly fields: FilterFields };
/** Key -> slots. */
export type Postings = ReadonlyMap<string, Posting>;
export type Posting = { readonly key: string; readonly slots: ReadonlySet<number> };

type GrowingPosting = Posting & { readonly slots: Set<number> };
/** An entry knows its postings, so that its removal needs no copy of its tags. */
type KeptEntry = Entry & { readonly wholes: readonly GrowingPosting[]; readonly prefixes: readonly GrowingPosting[] };

export type Catalogue = {
  /** By slot; undefined for a removed point. */
  readonly entries: readonly (Entry | undefined)[];
  /**
   * By slot: the timestamp in whole milliseconds, for a fast test. Ask for the array before each search: a larger one
   * may replace it.
   */
  readonly times: () => Float64Array;
  readonly wholeTags: Postings;
  readonly tagPrefixes: Postings;
  readonly size: () => number;
  /**
   * The slots of all points except points of these types. Cached until a point is added, removed or changes its type.
   */
  readonly slotsWithoutTypes: (types: readonly string[]) => Uint32Array;
  readonly countOfType: (type: string) => number;
  /**
   * Slots that may hold points which are not current at this time. Mostly few do, and a search tests no other for its
   * state.
   */
  readonly uncertain: (now: Timestamp) => ReadonlySet<number>;
  readonly versionOf: (id: MemoryId) => number | undefined;
  /** Returns the slot. */
  readonly put: (point: { readonly id: MemoryId; readonly version: number; readonly payload: PointPayload }) => number;
  readonly drop: (id: MemoryId) => void;
};

/** Enrichment and recall each exclude one set of types; other sets are rare. */
const CACHED_LISTS_LIMIT = 8;

export function createCatalogue(): Catalogue {
  const entries: (KeptEntry | undefined)[] = [];
  let times = new Float64Array(1_024);
  const slots = new Map<MemoryId, number>();
  const free: number[] = [];
  const wholeTags = new Map<string, GrowingPosting>();
  const tagPrefixes = new Map<string, GrowingPosting>();

  const typeCounts = new Map<string, number>();
  /** One string for each type: every parsed payload has its own. */
  const types = new Map<string, string>();
  const knownType = (type: string): string => types.get(type) ?? (types.set(type, type), type);
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
    const found = left.length === 0 ? all : all.filter((slot) => !left.includes(entries[slot]?.fields.type ?? ''));
    if (slotsByExcludedTypes.size >= CACHED_LISTS_LIMIT) slotsByExcludedTypes.clear();
    slotsByExcludedTypes.set(name, found);
    return found;
  }

  function removeFromIndexes(slot: number, { fields: { type }, wholes, prefixes }: KeptEntry): void {
    for (const posting of wholes) remove(wholeTags, posting, slot);
    for (const posting of prefixes) remove(tagPrefixes, posting, slot);
    typeCounts.set(type, (typeCounts.get(type) ?? 1) - 1);
    uncertain.delete(slot);
  }

  function addToIndexes(slot: number, { type, archived, validFrom, validUntil }: FilterFields): void {
    typeCounts.set(type, (typeCounts.get(type) ?? 0) + 1);
    if (archived || validUntil !== null || (validFrom !== null && validFrom > latestNow)) uncertain.add(slot);
  }

  return {
    entries,
    times: () => times,
    wholeTags,
    tagPrefixes,
    size: () => slots.size,
    slotsWithoutTypes,
    countOfType: (type) => typeCounts.get(type) ?? 0,
    uncertain: (now) => {
      if (now < latestNow) return new Set(slots.values());
      latestNow = now;
      for (const slot of uncertain) if (isCurrentFrom(entries[slot]?.fields, now)) uncertain.delete(slot);
      return uncertain;
    },
    versionOf: (id) => entries[slots.get(id) ?? -1]?.version,
    put: ({ id, version, payload }) => {
      const slot = slots.get(id) ?? free.pop() ?? entries.length;
      const before = entries[slot];
      if (before) removeFromIndexes(slot, before);
      const { tags, tagPrefixes: prefixes, type, timestamp, validFrom, validUntil, archived } = payload;
      const fields = { type: knownType(type), timestamp, validFrom, validUntil, archived };
      const wholes = tags.map((tag) => add(wholeTags, wholeTagKey(tag), slot));
      entries[slot] = { id, version, fields, wholes, prefixes: prefixes.map((key) => add(tagPrefixes, key, slot)) };
      if (slot >= times.length) {
        const larger = new Float64Array(2 * times.length); // slots are created one after the other
        larger.set(times);
        times = larger;
      }
      times[slot] = Date.parse(timestamp);
      if (before?.fields.type !== type) slotsByExcludedTypes.clear();
      slots.set(id, slot);
      addToIndexes(slot, fields);
      return slot;
    },
    drop: (id) => {
      const slot = slots.get(id);
      const entry = slot === undefined ? undefined : entries[slot];
      if (slot === undefined || entry === undefined) return;
      removeFromIndexes(slot, entry);
      entries[slot] = undefined;
      slots.delete(id);
      slotsByExcludedTypes.clear();
      free.push(slot);
    },
  };
}

/** Whether the point is current at this time and at every later one. */
function isCurrentFrom(fields: FilterFields | undefined, now: Timestamp): boolean {
  if (fields === undefined) return true;
  const { archived, validFrom, validUntil } = fields;
  return !archived && validUntil === null && (validFrom === null || validFrom <= now);
}

function add(postings: Map<string, GrowingPosting>, key: string, slot: number): GrowingPosting {
  const posting = postings.get(key) ?? { key, slots: new Set() };
  postings.set(key, posting);
  posting.slots.add(slot);
  return posting;
}

function remove(postings: Map<string, GrowingPosting>, { key, slots }: GrowingPosting, slot: number): void {
  slots.delete(slot);
  if (slots.size === 0) postings.delete(key);
}
