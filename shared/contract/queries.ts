/**
 * Query parameters as data: the routes parse queries with these tables, and OpenAPI shows them. An invalid value counts
 * as the default, unless the parameter has `refuse`: then the answer is 400. The query API clamps values whose bounds
 * are configurable (the largest limit).
 */
import { BATCH_LIMIT, LIST_LIMIT } from './limits.js';

export type QueryParameter = {
  readonly name: string;
  /** Other names that existing clients send; the first one in the query wins. */
  readonly aliases?: readonly string[];
  /**
   * `text`: trimmed. `flag`: 1/true/yes/y/on and 0/false/no/off/n. `repeated`: every occurrence, trimmed, without blank
   * ones, commas are part of a value. `list`: like `repeated`, and each value is split at commas. `vector`:
   * comma-separated numbers. `position`: of the journal, as a reply gave it, or as a plain number.
   */
  readonly kind: 'text' | 'flag' | 'integer' | 'number' | 'choice' | 'repeated' | 'list' | 'vector' | 'position';
  readonly choices?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** For every `repeated` and `list`: more values are a 400 that names the parameter. */
  readonly maximumItems?: number;
  /** Only for `text`: the regular expression that the value matches. It accepts blank text, unless `refusesBlank`. */
  readonly pattern?: string;
  /** With `refuse`: blank text is a 400. Without it, blank text counts as absent. */
  readonly refusesBlank?: true;
  readonly required?: boolean;
  /** The text of the 400 for an invalid value. `{reason}` is replaced by the reason of the parser, if it gives one. */
  readonly refuse?: string;
  /** With `refuse`: the text of the 400 for a number outside the bounds, if it is another one. */
  readonly refuseRange?: string;
  /** For every `position`: what the caller of another history does; the end of the text of the 400. */
  readonly advice?: string;
  readonly description: string;
};

type ValueOf<P extends QueryParameter, Position> = P['kind'] extends 'flag'
  ? boolean
  : P['kind'] extends 'integer' | 'number'
    ? number
    : P['kind'] extends 'repeated' | 'list'
      ? readonly string[]
      : P['kind'] extends 'vector'
        ? Float32Array
        : P['kind'] extends 'position'
          ? Position
          : P extends { readonly choices: readonly (infer C)[] }
            ? C
            : string;

/** The parsed query: a property for every parameter with a valid value. `Position`: the type of a `position`. */
export type QueryValues<T extends readonly QueryParameter[], Position = number> = {
  readonly [P in T[number] as P['name']]?: ValueOf<P, Position>;
};

const tagsRequired = {
  name: 'tags',
  kind: 'repeated',
  maximumItems: LIST_LIMIT,
  required: true,
  refuse: "'tags' query parameter is required",
  description: 'Memories with any of these whole tags, in any letter case. Repeat the parameter for more than one tag.',
} as const;

/** Of the reads that can wait for a write of the caller. */
export const consistentWith = {
  name: 'consistent_with',
  kind: 'position',
  refuse: "'consistent_with' must be a position of the journal: take it from Memory-Position of a write",
  advice: 'leave it out, or take it from Memory-Position of a later write',
  description:
    'Memory-Position of a write that the answer should include: waits for it up to RECALL_CONSISTENT_WAIT_MS; `consistency` shows the result.',
} as const;

export const byTagQuery = [
  tagsRequired,
  {
    name: 'limit',
    kind: 'integer',
    minimum: 1,
    maximum: 200,
    description: 'Page size; default 20, clamped to 1..200.',
  },
  { name: 'offset', kind: 'integer', minimum: 0, description: 'Memories to skip; default 0.' },
  consistentWith,
] as const satisfies readonly QueryParameter[];

export const deleteByTagQuery = [tagsRequired] as const satisfies readonly QueryParameter[];

export const reprocessQuery = [
  {
    name: 'ids',
    kind: 'list',
    maximumItems: BATCH_LIMIT,
    description: 'Comma-separated memory ids; used when the body has none.',
  },
] as const satisfies readonly QueryParameter[];
