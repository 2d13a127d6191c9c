/** What may not change in the schema of an event while its version stays: what readers rely on, of events that are in journals for ever. */
import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from './json-schema.js';

/** One line for each change that a reader of `before` could not take. Only a new optional property is none. */
export function incompatibleChanges(before: JsonSchema, after: JsonSchema, path = 'event'): readonly string[] {
  return [
    ...changesOfNames(before, after, path),
    ...changesOfValues(before, after, path),
    ...changesOfKeywords(before, after, path),
    ...Object.entries(before.properties ?? {}).flatMap(([name, schema]) => {
      const now = after.properties?.[name];
      return now === undefined ? [`${path}.${name} is gone`] : incompatibleChanges(schema, now, `${path}.${name}`);
    }),
    ...(before.items && after.items ? incompatibleChanges(before.items, after.items, `${path}[]`) : []),
  ];
}

/** Readers count on what was demanded; events of the same version that are written already lack what is demanded now. */
function changesOfNames(
  { required: before = [] }: JsonSchema,
  { required: after = [] }: JsonSchema,
  path: string,
): readonly string[] {
  return [
    ...before.filter((name) => !after.includes(name)).map((name) => `${path}.${name} may be absent now`),
    ...after.filter((name) => !before.includes(name)).map((name) => `${path}.${name} is required now`),
  ];
}

function changesOfValues({ enum: before }: JsonSchema, { enum: after }: JsonSchema, path: string): readonly string[] {
  if (before === undefined) return [];
  if (after === undefined) return [`${path} may have any value now`];
  return after.filter((value) => !before.includes(value)).map((value) => `${path} may be ${JSON.stringify(value)} now`);
}

const COMPARED_ELSEWHERE = ['description', 'title', 'required', 'properties', 'enum'];

function changesOfKeywords(before: JsonSchema, after: JsonSchema, path: string): readonly string[] {
  const keywords = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (keyword) => !COMPARED_ELSEWHERE.includes(keyword),
  );
  return keywords
    .filter(
      (keyword) =>
        !isDeepStrictEqual(before[keyword], after[keyword]) && !(keyword === 'items' && before.items && after.items),
    )
    .map((keyword) => `${path} had ${keyword} ${shown(before[keyword])} and has ${shown(after[keyword])}`);
}

function shown(value: unknown): string {
  return value === undefined ? 'of any kind' : JSON.stringify(value);
}
