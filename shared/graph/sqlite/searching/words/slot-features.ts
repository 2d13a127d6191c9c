/** The features of the memory in each slot of the word index, by which a search filters and ranks without a row of the database. */
import type { MemoryFilter } from '../../../../contract/filter.js';
import type { MemoryId, Timestamp } from '../../../../contract/memory.js';
import type { WordHit } from '../../../rank-by-words.js';

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
  /** False guarantees that every memory is current at any time. */
  readonly mayHaveLapsed: () => boolean;
  readonly hitAt: (slot: number) => Omit<WordHit, 'points'>;
  /** Tests the parts of a filter that need no tags: state, time and type. */
  readonly matcher: (filter: MemoryFilter) => (slot: number) => boolean;
  /** A copy in which each slot has its new number, for slots that have one. */
  readonly renumbered: (numberOf: (slot: number) => number | null) => SlotFeatures;
};

type State = Pick<Features, 'archived' | 't_valid' | 't_invalid'>;

export function createSlotFeatures(): SlotFeatures {
  const ids: MemoryId[] = [];
  const types: string[] = [];
  const importances: number[] = [];
  const timestamps: Timestamp[] = [];
  /** Only of memories that are archived or have a bound of validity. */
  const states = new Map<number, State>();
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
      if (archived === 1 || t_valid !== null || t_invalid !== null) states.set(slot, { archived, t_valid, t_invalid });
      else states.delete(slot);
    },
    clear: (slot) => {
      ids[slot] = '' as MemoryId; // of no memory
      timestamps[slot] = '';
      states.delete(slot);
    },
    mayHaveLapsed: () => states.size > 0,
    hitAt: (slot) => ({
      id: ids[slot] as MemoryId, // a live slot has one
      importance: importances[slot] ?? 0,
      timestamp: timestamps[slot] ?? '',
    }),
    matcher: ({ state, now, start, end, excludedTypes }) => {
      const excluded = new Set(excludedTypes);
      return (slot) => {
        if (!isInState(states.get(slot), state, now) || excluded.has(types[slot] ?? '')) return false;
        const at = timestamps[slot] ?? '';
        return (start === null || at >= start) && (end === null || at <= end);
      };
    },
    renumbered: (numberOf) => {
      const copy = createSlotFeatures();
      ids.forEach((id, slot) => {
        const number = numberOf(slot);
        if (number === null) return;
        const { archived, t_valid, t_invalid } = states.get(slot) ?? CURRENT;
        const [type = '', importance = 0, timestamp = ''] = [types[slot], importances[slot], timestamps[slot]];
        copy.set(number, { id, type, importance, timestamp, archived, t_valid, t_invalid });
      });
      return copy;
    },
  };
}

const CURRENT: State = { archived: 0, t_valid: null, t_invalid: null };

/** `held`: undefined for a memory that is always current. */
function isInState(held: State | undefined, state: MemoryFilter['state'], now: Timestamp): boolean {
  if (held === undefined) return state !== 'lapsed';
  const isArchived = held.archived === 1;
  if (state === 'unarchived') return !isArchived;
  const isValid = (held.t_valid === null || held.t_valid <= now) && (held.t_invalid === null || held.t_invalid > now);
  return (!isArchived && isValid) === (state === 'current');
}
