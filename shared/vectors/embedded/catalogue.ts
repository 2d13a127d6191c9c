/**
 * What a filter may ask of each point, by slot: plain entries, and for tags the slots that hold each key. A slot whose point was
 * removed is given to the next new point.
 */
import type { MemoryId } from '../../contract/memory.js';
import { wholeTagKey } from '../../text/tags.js';
import type { PointPayload } from '../vectors.js';

export type Entry = { readonly id: MemoryId; readonly version: number; readonly payload: PointPayload };
/** Key -> slots. */
export type Postings = ReadonlyMap<string, ReadonlySet<number>>;

export type Catalogue = {
  /** By slot; undefined where a point was removed. */
  readonly entries: readonly (Entry | undefined)[];
  readonly wholeTags: Postings;
  readonly tagPrefixes: Postings;
  readonly size: () => number;
  readonly versionOf: (id: MemoryId) => number | undefined;
  /** Returns the slot. */
  readonly put: (entry: Entry) => number;
  readonly drop: (id: MemoryId) => void;
};

export function createCatalogue(): Catalogue {
  const entries: (Entry | undefined)[] = [];
  const slots = new Map<MemoryId, number>();
  const free: number[] = [];
  const wholeTags = new Map<string, Set<number>>();
  const tagPrefixes = new Map<string, Set<number>>();

  function unpost(slot: number, { tags, tagPrefixes: prefixes }: PointPayload): void {
    for (const tag of tags) remove(wholeTags, wholeTagKey(tag), slot);
    for (const prefix of prefixes) remove(tagPrefixes, prefix, slot);
  }

  return {
    entries,
    wholeTags,
    tagPrefixes,
    size: () => slots.size,
    versionOf: (id) => entries[slots.get(id) ?? -1]?.version,
    put: (entry) => {
      const slot = slots.get(entry.id) ?? free.pop() ?? entries.length;
      const before = entries[slot];
      if (before) unpost(slot, before.payload);
      entries[slot] = entry;
      slots.set(entry.id, slot);
      for (const tag of entry.payload.tags) add(wholeTags, wholeTagKey(tag), slot);
      for (const prefix of entry.payload.tagPrefixes) add(tagPrefixes, prefix, slot);
      return slot;
    },
    drop: (id) => {
      const slot = slots.get(id);
      const entry = slot === undefined ? undefined : entries[slot];
      if (slot === undefined || entry === undefined) return;
      unpost(slot, entry.payload);
      entries[slot] = undefined;
      slots.delete(id);
      free.push(slot);
    },
  };
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
