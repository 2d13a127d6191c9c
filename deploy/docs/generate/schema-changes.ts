/** Finds changes of an event's schema that need a new version: journals keep old events without a limit. */
import { isDeepStrictEqual } from 'node:util';

/** Returns one line for each change that breaks a reader of `before`. Only a new optional property breaks none. */
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

/** Readers rely on required properties, and stored events of the same version lack a newly required one. */
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

/** The JSON Schema keywords that hold other schemas or names. All other keywords are compared and copied unchanged. */
export type JsonSchema = {
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly [keyword: string]: unknown;
};
