/** Patterns of replies as data: the expected parts of a reply and their values. */

/**
 * An object pattern checks its named parts. A list pattern checks all items, or some by index. A function checks one
 * value.
 */
export type Pattern =
  string | number | boolean | null | Check | readonly Pattern[] | { readonly [part: string | number]: Pattern };
type Check = (value: unknown) => boolean;

/** The part must be absent. */
export const absent: Check = (value) => value === undefined;
export const aNumber: Check = (value) => typeof value === 'number';
export const aText: Check = (value) => typeof value === 'string' && value !== '';
export const above =
  (least: number): Check =>
  (value) =>
    typeof value === 'number' && value > least;
export const below =
  (most: number): Check =>
  (value) =>
    typeof value === 'number' && value < most;
export const near =
  (number: number, tolerance = 1e-5): Check =>
  (value) =>
    typeof value === 'number' && Math.abs(value - number) <= tolerance;
export const matching =
  (expression: RegExp): Check =>
  (value) =>
    typeof value === 'string' && expression.test(value);
export const holding =
  (...wanted: readonly unknown[]): Check =>
  (value) =>
    Array.isArray(value) && wanted.every((each) => value.includes(each));
export const counting =
  (length: number): Check =>
  (value) =>
    Array.isArray(value) && value.length === length;
/** The same items in any order. */
export const anyOrder = (...wanted: readonly Pattern[]): readonly Pattern[] =>
  Object.assign([...wanted], { [ANY_ORDER]: true });

const ANY_ORDER = Symbol('any order');

/** Returns one sentence for each difference. */
export function differences(pattern: Pattern, value: unknown, path = 'answer'): readonly string[] {
  if (typeof pattern === 'function') return pattern(value) ? [] : [`${path} is ${JSON.stringify(value)}`];
  if (pattern === null || typeof pattern !== 'object')
    return Object.is(pattern, value) ? [] : [`${path} is ${JSON.stringify(value)}, not ${JSON.stringify(pattern)}`];
  if (typeof value !== 'object' || value === null) return [`${path} is ${JSON.stringify(value)}`];
  if (isList(pattern)) return listDifferences(pattern, value, path);
  return Object.entries(pattern).flatMap(([part, inner]) =>
    differences(inner, (value as Readonly<Record<string, unknown>>)[part], `${path}.${part}`),
  );
}

function listDifferences(pattern: readonly Pattern[], value: object, path: string): readonly string[] {
  if (!Array.isArray(value) || value.length !== pattern.length) return [`${path} is ${JSON.stringify(value)}`];
  if (!(ANY_ORDER in pattern))
    return pattern.flatMap((inner, index) => differences(inner, value[index], `${path}.${index}`));
  return pattern
    .filter((inner) => !value.some((each) => differences(inner, each).length === 0))
    .map((inner) => `${path} lacks ${JSON.stringify(inner)}: ${JSON.stringify(value)}`);
}

/** The paths of all parts that a pattern expects, for example `results[].id` for a part of a list item. */
export function shownPaths(pattern: Pattern, path = ''): readonly string[] {
  if (pattern === absent) return [];
  if (pattern === null || typeof pattern !== 'object') return [path];
  if (isList(pattern)) return [path, ...pattern.flatMap((inner) => shownPaths(inner, `${path}[]`))];
  const inner = Object.entries(pattern).flatMap(([part, each]) =>
    shownPaths(each, /^\d+$/u.test(part) ? `${path}[]` : [path, part].filter((text) => text !== '').join('.')),
  );
  return [path, ...inner];
}

/** Changes each text of a pattern, including texts within lists and objects. */
export function mapTexts(pattern: Pattern, change: (text: string) => string): Pattern {
  if (typeof pattern === 'string') return change(pattern);
  if (pattern === null || typeof pattern !== 'object') return pattern;
  if (isList(pattern))
    return Object.assign(
      pattern.map((each) => mapTexts(each, change)),
      ANY_ORDER in pattern ? { [ANY_ORDER]: true } : {},
    );
  return Object.fromEntries(Object.entries(pattern).map(([part, each]) => [change(part), mapTexts(each, change)]));
}

function isList(pattern: object): pattern is readonly Pattern[] {
  return Array.isArray(pattern);
}
