/** Finds the slots that a filter admits. Tags narrow the slots first, by key; each remaining entry is tested for the rest of the filter. */
import type { MemoryFilter, TagFilter } from '../../contract/filter.js';
import { createBeginsWithAny } from '../../text/beginnings.js';
import { canonicalTag, wholeTagKey } from '../../text/tags.js';
import type { PointPayload } from '../vectors.js';
import type { Catalogue, Postings } from './catalogue.js';

/** The admitted slots, in no particular order. */
export function admittedSlots(catalogue: Catalogue, filter: MemoryFilter): Uint32Array {
  const isAllCurrent = !catalogue.mayHaveLapsed(filter.now);
  if (isAllCurrent && filter.state === 'lapsed') return new Uint32Array(0);
  if (isAllCurrent && filtersByTypeOnly(filter)) return catalogue.slotsWithoutTypes(filter.excludedTypes);
  return matchingSlots(catalogue, filter);
}

/** The filter tests nothing but state and type, so no entry needs a test. */
function filtersByTypeOnly({ tags, excludeTags, start, end }: MemoryFilter): boolean {
  return tags === null && excludeTags.length === 0 && start === null && end === null;
}

function matchingSlots(catalogue: Catalogue, filter: MemoryFilter): Uint32Array {
  const { entries } = catalogue;
  const tagged = filter.tags === null ? null : taggedSlots(catalogue, filter.tags);
  const excluded = excludedSlots(catalogue, filter.excludeTags);
  const excludedTypes = new Set(filter.excludedTypes);
  const admitted = new Uint32Array(tagged?.size ?? entries.length);
  let count = 0;
  function consider(slot: number): void {
    const payload = entries[slot]?.payload;
    if (payload === undefined || excluded.has(slot) || excludedTypes.has(payload.type)) return;
    if (isInWindow(payload, filter) && isInState(payload, filter)) admitted[count++] = slot;
  }
  if (tagged) tagged.forEach(consider);
  else for (let slot = 0; slot < entries.length; slot += 1) consider(slot);
  return admitted.subarray(0, count);
}

function taggedSlots(catalogue: Catalogue, { values, mode, match }: TagFilter): ReadonlySet<number> {
  const postings = match === 'exact' ? catalogue.wholeTags : catalogue.tagPrefixes;
  const lists = values.map(
    (value) => postings.get(match === 'exact' ? wholeTagKey(value) : canonicalTag(value)) ?? NO_SLOTS,
  );
  const [smallest = NO_SLOTS, ...others] = [...lists].sort((a, b) => a.size - b.size);
  if (others.length === 0) return smallest;
  if (mode === 'any') return new Set(lists.flatMap((list) => [...list]));
  return new Set([...smallest].filter((slot) => others.every((list) => list.has(slot))));
}

/** Tests every key: there are far fewer tags than memories. 100,000 keys take 2 ms for one value, 15 ms for 200. */
function excludedSlots(catalogue: Catalogue, values: readonly string[]): ReadonlySet<number> {
  const excluded = new Set<number>();
  if (values.length === 0) return excluded;
  const wholes = values.map(wholeTagKey);
  collect(catalogue.wholeTags, createBeginsWithAny(wholes), excluded);
  collect(catalogue.tagPrefixes, createBeginsWithAny(wholes.map((value) => value.replaceAll('/', ':'))), excluded);
  return excluded;
}

function collect(postings: Postings, isExcluded: (key: string) => boolean, into: Set<number>): void {
  for (const [key, slots] of postings) {
    if (isExcluded(key)) for (const slot of slots) into.add(slot);
  }
}

function isInWindow({ timestamp }: PointPayload, { start, end }: MemoryFilter): boolean {
  return (start === null || timestamp >= start) && (end === null || timestamp <= end);
}

function isInState({ archived, validFrom, validUntil }: PointPayload, { state, now }: MemoryFilter): boolean {
  const isValid = (validFrom === null || validFrom <= now) && (validUntil === null || validUntil > now);
  switch (state) {
    case 'current':
      return !archived && isValid;
    case 'lapsed':
      return archived || !isValid;
    case 'unarchived':
      return !archived;
    default:
      return state satisfies never;
  }
}

const NO_SLOTS: ReadonlySet<number> = new Set();
