/**
 * Tests whether a text begins with one of many values. Among values of which none begins with another, only the
 * greatest one up to the text can be its beginning, so a binary search finds it: 200 values cost eight comparisons for
 * each text, not 200.
 */

/**
 * The distinct values without those that begin with another value, ascending. The empty value, with which every text
 * begins, is dropped.
 */
export function shortestPrefixes(values: Iterable<string>): readonly string[] {
  const shortest: string[] = [];
  for (const value of [...new Set(values)].filter((one) => one !== '').sort()) {
    const last = shortest.at(-1);
    if (last === undefined || !value.startsWith(last)) shortest.push(value);
  }
  return shortest;
}

export function createBeginsWithAny(values: Iterable<string>): (text: string) => boolean {
  const prefixes = shortestPrefixes(values);
  return (text) => {
    let [from, to] = [0, prefixes.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((prefixes[middle] ?? '') <= text) from = middle + 1;
      else to = middle;
    }
    const greatest = prefixes[from - 1];
    return greatest !== undefined && text.startsWith(greatest);
  };
}
