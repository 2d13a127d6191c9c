/**
 * The features of the memory in each slot of the word index, by which a search filters and ranks without a row of the
 * database.
 */
import type { MemoryFilter } from '../../../../../contract/filter.js';
import type { MemoryId, Timestamp } from '../../../../../contract/memory.js';
import type { WordHit } from '../../../../../text/rank-by-words.js';

/** The features in a row of `memory_words`. */
export type Features = {
  readonly id: MemoryId;
  readonly type: string;
  readonly importance: number;
  readonly timestamp: Timestamp;
  /** 1 or 0. */
  readonly archived: number;
  readonly t_valid: Timestamp | null;
  readonly t_invalid: Timestamp | null;
};

export type SlotFeatures = {
  readonly set: (slot: number, features: Features) => void;
  readonly clear: (slot: number) => void;
  /** False guarantees that every memory is current at this time. */
  readonly mayHaveLapsed: (now: Timestamp) => boolean;
  readonly hitAt: (slot: number) => Omit<WordHit, 'points'>;
  /** Tests the parts of a filter that need no tags: state, time and type. */
  readonly matcher: (filter: MemoryFilter) => (slot: number) => boolean;
  /** A copy in which each slot has its new number, for slots that have one. */
  readonly renumbered: (numberOf: (slot: number) => number | null) => SlotFeatures;
};

type End = Pick<Features, 'archived' | 't_invalid'>;

export function createSlotFeatures(): SlotFeatures {
  const ids: MemoryId[] = [];
  const types: string[] = [];
  const importances: number[] = [];
  const timestamps: Timestamp[] = [];
  const starts: (Timestamp | null)[] = [];
  /** Only of memories that are archived or have an end of validity. */
  const ends = new Map<number, End>();
  /** The latest start of validity of any memory so far. */
  let latestStart: Timestamp = '';
  const knownTypes = new Map<string, string>();

  /** One text for all memories of a type. */
  function shared(type: string): string {
    const known = knownTypes.get(type);
    if (known === undefined) knownTypes.set(type, type);
    return known ?? type;
  }

  return {
    set: (slot, { id, type, importance, timestamp, archived, t_valid, t_invalid }) => {
      ids[slot] = id;
      types[slot] = shared(type);
      importances[slot] = importance;
      timestamps[slot] = timestamp;
      // Mostly both are the same text, which then takes its memory once.
      starts[slot] = t_valid === timestamp ? timestamp : t_valid;
      if (t_valid !== null && t_valid > latestStart) latestStart = t_valid;
      if (archived === 1 || t_invalid !== null) ends.set(slot, { archived, t_invalid });
      else ends.delete(slot);
    },
    clear: (slot) => {
      ids[slot] = '' as MemoryId; // of no memory
      timestamps[slot] = '';
      starts[slot] = null;
      ends.delete(slot);
    },
    mayHaveLapsed: (now) => ends.size > 0 || latestStart > now,
    hitAt: (slot) => ({
      id: ids[slot] as MemoryId, // a live slot has one
      importance: importances[slot] ?? 0,
      timestamp: timestamps[slot] ?? '',
    }),
    matcher: ({ state, now, start, end, excludedTypes }) => {
      const excluded = new Set(excludedTypes);
      const isLapsed = state === 'lapsed';
      return (slot) => {
        const held = ends.get(slot) ?? ENDLESS;
        if (state === 'unarchived' ? held.archived === 1 : isCurrent(starts[slot] ?? null, held, now) === isLapsed)
          return false;
        if (excluded.has(types[slot] ?? '')) return false;
        const at = timestamps[slot] ?? '';
        return (start === null || at >= start) && (end === null || at <= end);
      };
    },
    renumbered: (numberOf) => {
      const copy = createSlotFeatures();
      ids.forEach((id, slot) => {
        const number = numberOf(slot);
        if (number === null) return;
        const { archived, t_invalid } = ends.get(slot) ?? ENDLESS;
        const [type = '', importance = 0, timestamp = ''] = [types[slot], importances[slot], timestamps[slot]];
        const t_valid = starts[slot] ?? null;
        copy.set(number, { id, type, importance, timestamp, archived, t_valid, t_invalid });
      });
      return copy;
    },
  };
}

const ENDLESS: End = { archived: 0, t_invalid: null };

function isCurrent(start: Timestamp | null, { archived, t_invalid: end }: End, now: Timestamp): boolean {
  return archived === 0 && (start === null || start <= now) && (end === null || end > now);
}
