/**
 * Reads the memories around one memory: follows associations in both directions, one read for each step. Bounded: a hub
 * shows its strongest associations, and only so many memories lead on.
 */
import type { AssociationKey, AssociationType } from '../../shared/contract/association.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import type { GraphReader, Step } from '../../shared/ports/graph.js';

/** Associations of the first memory that are read: caller-written ones first, of a hub the strongest. */
const FIRST_STEP_LIMIT = 1_000;
/** Memories of one step that lead on to the next, the most important ones. */
const LEADING_LIMIT = 100;
/** Associations of each of them that are read. */
const NEXT_STEP_LIMIT = 100;

export type Neighbour = {
  readonly memory: Step['memory'];
  /** Associations from the start, at least. */ readonly steps: number;
  /** Of the strongest association that reached it in that many steps. */ readonly strength: number;
};

export type FollowedAssociation = AssociationKey & Pick<Step, 'strength'>;

export type Neighbourhood = {
  /** Without the start, in the order of the contract: importance descending, timestamp descending, then id. */
  readonly neighbours: readonly Neighbour[];
  /** Each once. */
  readonly associations: readonly FollowedAssociation[];
  /** A limit left out associations. */
  readonly isCut: boolean;
};

export async function readNeighbourhood(
  graph: Pick<GraphReader, 'steps'>,
  {
    start,
    types,
    depth,
    enough = Infinity,
  }: {
    readonly start: MemoryId;
    readonly types: readonly AssociationType[];
    readonly depth: number;
    /** After a step that found this many memories in all, no further step follows. */ readonly enough?: number;
  },
): Promise<Neighbourhood> {
  const found = new Map<string, Neighbour>();
  const followed = new Map<string, FollowedAssociation>();
  let leading: readonly MemoryId[] = [start];
  let isCut = false;
  for (let steps = 1; steps <= depth && leading.length > 0; steps += 1) {
    if (found.size >= enough) {
      isCut = true;
      break;
    }
    const limit = steps === 1 ? FIRST_STEP_LIMIT : NEXT_STEP_LIMIT;
    const reached: Step['memory'][] = [];
    for (const [from, ofOne] of await graph.steps({ ids: leading, types, limit })) {
      isCut ||= ofOne.length === limit;
      for (const step of ofOne) {
        const association = followedFrom(from, step);
        followed.set(`${association.source}|${association.type}|${association.target}`, association);
        const { memory } = step;
        if (memory.id === start) continue;
        const known = found.get(memory.id);
        if (known !== undefined && (known.steps < steps || known.strength >= step.strength)) continue;
        found.set(memory.id, { memory, steps, strength: step.strength });
        if (known === undefined) reached.push(memory);
      }
    }
    isCut ||= steps < depth && reached.length > LEADING_LIMIT;
    leading = [...reached]
      .sort(byImportance)
      .slice(0, LEADING_LIMIT)
      .map(({ id }) => id as MemoryId); // ids of stored memories
  }
  const neighbours = [...found.values()].sort((one, other) => byImportance(one.memory, other.memory));
  return { neighbours, associations: [...followed.values()], isCut };
}

function followedFrom(from: MemoryId, { type, direction, strength, memory }: Step): FollowedAssociation {
  const other = memory.id as MemoryId; // the id of a stored memory
  const [source, target] = direction === 'outgoing' ? [from, other] : [other, from];
  return { source, type, target, strength };
}

function byImportance(one: Step['memory'], other: Step['memory']): number {
  return (
    (other.importance ?? 0) - (one.importance ?? 0) ||
    compare(other.timestamp ?? '', one.timestamp ?? '') ||
    compare(one.id, other.id)
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
