/**
 * The metadata values that recall searches: the short values of a few fields, in one spelling. Both graph engines index
 * their words, and recall scores the same values.
 */
import { METADATA_FIELDS, type MetadataValue } from '../contract/metadata-fields.js';
import { isRecord } from '../kernel/is-record.js';
import { foldText } from './fold.js';
import { hasUnspacedScript, scriptRuns, segmentUnspaced } from './unspaced.js';

/**
 * In the order of METADATA_FIELDS. Reads texts and numbers, alone or in lists, and one kind of object: the categories
 * of `entities`.
 */
export function metadataValues(metadata: Readonly<Record<string, unknown>>): readonly MetadataValue[] {
  return METADATA_FIELDS.flatMap((field) => {
    const value = metadata[field];
    const scalars = field === 'entities' && isRecord(value) ? entitiesOf(value) : scalarsOf(value);
    return scalars
      .map((scalar) => ({ field, text: metadataWords(scalar).join(' ') }))
      .filter(({ text }) => text !== '');
  });
}

/** The distinct words that find a memory with these values. */
export function searchWords(values: readonly MetadataValue[]): readonly string[] {
  return [...new Set(values.flatMap(({ text }) => text.split(' ')).filter(isDistinctive))];
}

/** Runs of letters and digits in lower case, without accents, with repeats. */
export function metadataWords(text: string): readonly string[] {
  const runs =
    foldText(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return runs.flatMap((run) =>
    hasUnspacedScript(run)
      ? scriptRuns(run).flatMap((part) => (hasUnspacedScript(part) ? segmentUnspaced(part) : part))
      : run,
  );
}

/**
 * The number of UTF-8 bytes of a word, because a letter of another script carries more information (an ideograph has
 * three bytes).
 */
export function wordWeight(word: string): number {
  return Buffer.byteLength(word);
}

/** False for short words, which are in too many values. */
export function isDistinctive(word: string): boolean {
  return wordWeight(word) >= DISTINCTIVE_WEIGHT;
}

const DISTINCTIVE_WEIGHT = 3;
const VALUE_LENGTH_LIMIT = 96;
const LIST_LIMIT = 12;
const CATEGORY_LIMIT = 12;

/** Without people: most memories name people in their content, and a query for a person means the content. */
function entitiesOf(categories: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(categories)
    .filter(([category]) => category !== 'people')
    .slice(0, CATEGORY_LIMIT)
    .flatMap(([, values]) => scalarsOf(values));
}

function scalarsOf(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value.slice(0, LIST_LIMIT) : [value]).flatMap((each: unknown) => {
    if (typeof each === 'number') return [String(each)];
    return typeof each === 'string' && each.length <= VALUE_LENGTH_LIMIT ? [each] : [];
  });
}
