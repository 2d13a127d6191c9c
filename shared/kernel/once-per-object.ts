/**
 * Remembers what a pure function returned for an object, as long as the object lives. The graph keeps memories between
 * recalls, and a recall asks the same questions of some hundred memories several times.
 */
export function oncePerObject<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, { readonly value: V }>();
  return (key) => {
    const remembered = known.get(key);
    if (remembered) return remembered.value;
    const value = compute(key);
    known.set(key, { value });
    return value;
  };
}
