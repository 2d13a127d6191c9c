/**
 * What of a memory's metadata recall searches: the short values of a few fields, in one spelling. Both graph engines index the words and
 * recall judges the values, so that all of them mean the same.
 */
import { METADATA_FIELDS, type MetadataValue } from '../contract/metadata-fields.js';
import { foldText } from './fold.js';
import { hasUnspacedScript, scriptRuns, segmentUnspaced } from './unspaced.js';

/** In the order of the fields. Texts and numbers, alone or in lists; of objects only the categories of `entities`. */
export function metadataValues(metadata: Readonly<Record<string, unknown>>): readonly MetadataValue[] {
  return METADATA_FIELDS.flatMap((field) => {
    const value = metadata[field];
    const scalars = field === 'entities' && isObject(value) ? entitiesOf(value) : scalarsOf(value);
    return scalars
      .map((scalar) => ({ field, text: metadataWords(scalar).join(' ') }))
      .filter(({ text }) => text !== '');
  });
}

/** The words by which a memory with these values is found, each once. */
export function searchWords(values: readonly MetadataValue[]): readonly string[] {
  return [...new Set(values.flatMap(({ text }) => text.split(' ')).filter(isTelling))];
}

/** Runs of letters and digits in lower case, accents left out; repeats kept. */
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

/** Letters, of which those of other scripts tell more: as many as a word has bytes, an ideograph being three. */
export function wordWeight(word: string): number {
  return Buffer.byteLength(word);
}

/** Shorter words are in too many values to tell anything. */
export function isTelling(word: string): boolean {
  return wordWeight(word) >= TELLING_WEIGHT;
}

const TELLING_WEIGHT = 3;
const VALUE_LENGTH_LIMIT = 96;
const LIST_LIMIT = 12;
const CATEGORY_LIMIT = 12;

/** People are in what most memories say; whoever asks for one means the content. */
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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
