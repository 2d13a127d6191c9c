/** The order of memories that replace each other, pure. */
import { SUPERSEDING_TYPES } from '../../../../shared/contract/association.js';

export type Relation = {
  readonly type: string;
  readonly direction: 'incoming' | 'outgoing';
  readonly created_at: string;
  readonly memory: { readonly id: string };
};
export type Layer = { readonly id: string; readonly timestamp: string; readonly relations: readonly Relation[] };
type Replacement = {
  readonly older: string;
  readonly newer: string;
  readonly type: string;
  /** When the association was recorded. */
  readonly at: string;
};

/** Of the given memory: by what it is replaced, and what it replaces. */
export function replacementsOf({ id, relations }: Pick<Layer, 'id' | 'relations'>): readonly Replacement[] {
  return relations
    .filter(({ type }) => SUPERSEDING_TYPES.some((each) => each === type))
    .map(({ type, direction, memory, created_at: at }) =>
      direction === 'outgoing' ? { older: id, newer: memory.id, type, at } : { older: memory.id, newer: id, type, at },
    );
}

export type Stratum<L> = L & { readonly replacedBy: readonly Replacement[] };

/**
 * The newest first: a memory is above all that it replaces, over any number of steps; else the later one is above. In a
 * circle the order is by time alone.
 */
export function strataOf<L extends Layer>(layers: readonly L[]): readonly Stratum<L>[] {
  const replacements = new Map(
    layers.flatMap(replacementsOf).map((each) => [`${each.older} ${each.type} ${each.newer}`, each] as const),
  );
  const height = new Map(layers.map(({ id }) => [id, 0]));
  const known = [...replacements.values()].filter(({ older, newer }) => height.has(older) && height.has(newer));
  let isSettled = false;
  // Without a circle, no way has more steps than there are memories.
  for (let step = 0; step < layers.length && !isSettled; step += 1) {
    isSettled = true;
    for (const { older, newer } of known) {
      const needed = (height.get(older) ?? 0) + 1;
      if (needed <= (height.get(newer) ?? 0)) continue;
      height.set(newer, needed);
      isSettled = false;
    }
  }
  const heightOf = ({ id }: Layer): number => (isSettled ? (height.get(id) ?? 0) : 0);
  return [...layers]
    .sort((one, other) => heightOf(other) - heightOf(one) || (one.timestamp < other.timestamp ? 1 : -1))
    .map((layer) => ({ ...layer, replacedBy: known.filter(({ older }) => older === layer.id) }));
}
