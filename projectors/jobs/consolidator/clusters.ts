/** Groups memories that are connected by pairs: a union-find whose cost is nearly linear in the number of pairs (Tarjan 1975). */
export type Clusters<T> = {
  /** Adds a member once. */
  readonly add: (id: string, member: T) => void;
  /** Connects two ids; a pair with an id that never becomes a member counts for nothing. */
  readonly connect: (one: string, other: string) => void;
  /** The groups of at least `size` members, in the order in which their first member was added. */
  readonly groups: (size: number) => readonly (readonly T[])[];
};

export function createClusters<T>(): Clusters<T> {
  const members = new Map<string, T>();
  const pairs: [string, string][] = [];

  function findRoots(): (id: string) => string {
    const parents = new Map<string, string>();
    const rootOf = (id: string): string => {
      let root = id;
      for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent;
      for (let at = id; at !== root;) {
        const next = parents.get(at) ?? root;
        parents.set(at, root);
        at = next;
      }
      return root;
    };
    for (const [one, other] of pairs) {
      if (!members.has(one) || !members.has(other)) continue;
      const [first, second] = [rootOf(one), rootOf(other)];
      if (first !== second) parents.set(second, first);
    }
    return rootOf;
  }

  return {
    add: (id, member) => void (members.has(id) || members.set(id, member)),
    connect: (one, other) => void pairs.push([one, other]),
    groups: (size) => {
      const rootOf = findRoots();
      const groups = new Map<string, T[]>();
      for (const [id, member] of members) {
        const root = rootOf(id);
        const group = groups.get(root);
        if (group) group.push(member);
        else groups.set(root, [member]);
      }
      return [...groups.values()].filter((group) => group.length >= size);
    },
  };
}
