/**
 * Scores how well a query matches the metadata of a memory, pure. The best matching value alone decides: a query that
 * names a tool, a repository or an agent asks for memories that come from it, whatever their content. Weak matches
 * score 0, because otherwise one common word would match every memory.
 */
import { QUERY_LENGTH_LIMIT } from '../../../shared/contract/limits.js';
import type { MetadataField, MetadataValue } from '../../../shared/contract/metadata-fields.js';
import { isDistinctive, metadataValues, metadataWords, wordWeight } from '../../../shared/text/metadata-values.js';

export type MetadataQuery = {
  /** All words, separated by blanks. */
  readonly text: string;
  /** The distinct words that can be part of a value. */
  readonly words: readonly string[];
  /** The fields that the query names. */
  readonly fields: ReadonlySet<MetadataField>;
};

/** `value`: the words of the best matching value. */
export type MetadataMatch = { readonly score: number; readonly field: MetadataField; readonly value: string };

/** One number per metadata object, in their order; 0 for null. */
export function metadataMatches(text: string | null, all: readonly (Metadata | null)[]): readonly number[] {
  const query = metadataQuery(text ?? '');
  return all.map((metadata) => (metadata === null ? 0 : (metadataMatch(query, metadataValues(metadata))?.score ?? 0)));
}

type Metadata = Parameters<typeof metadataValues>[0];

/** Null without a strong match. */
export function metadataMatch(query: MetadataQuery, values: readonly MetadataValue[]): MetadataMatch | null {
  const matches = values.flatMap((value) => {
    const score = valueScore(query, value);
    return score > 0 ? [{ score, field: value.field, value: value.text }] : [];
  });
  return matches.reduce<MetadataMatch | null>(
    (best, match) => (best !== null && best.score >= match.score ? best : match),
    null,
  );
}

export function metadataQuery(text: string): MetadataQuery {
  const words = metadataWords(text.slice(0, QUERY_LENGTH_LIMIT));
  const whole = words.join(' ');
  return {
    text: whole,
    words: [...new Set(words)].filter((word) => isDistinctive(word) && !FIELD_WORDS.has(word) && !FILLERS.has(word)),
    fields: new Set(
      (Object.keys(FIELD_NAMES) as MetadataField[]).filter((field) =>
        FIELD_NAMES[field].some((name) => containsPhrase(whole, name)),
      ),
    ),
  };
}

/** The words by which a query names a field. */
const FIELD_NAMES: Readonly<Record<MetadataField, readonly string[]>> = {
  source: ['source'],
  source_agent: ['source agent', 'source agents', 'agent', 'agents'],
  source_agents: ['source agent', 'source agents', 'agent', 'agents'],
  repo: ['repo', 'repository'],
  project: ['project'],
  tool: ['tool'],
  surface: ['surface'],
  applies_to: ['applies to', 'apply to'],
  trigger: ['trigger'],
  provider: ['provider'],
  model: ['model'],
  entities: ['entity', 'entities'],
};
const FIELD_WORDS: ReadonlySet<string> = new Set([
  'source',
  'agent',
  'agents',
  'repo',
  'repository',
  'project',
  'tool',
  'surface',
  'applies',
  'apply',
  'trigger',
  'provider',
  'model',
  'entity',
  'entities',
  'metadata',
]);
const FILLERS: ReadonlySet<string> = new Set([
  'about',
  'all',
  'any',
  'by',
  'find',
  'for',
  'from',
  'in',
  'me',
  'memory',
  'memories',
  'of',
  'on',
  'please',
  'show',
  'that',
  'the',
  'to',
  'with',
]);

/** The points that the contract defines; their sum exceeds 1, and the score is clamped to 1. */
const BASE = 0.15;
const OF_VALUE = 0.45;
const OF_QUERY = 0.2;
const WHOLE_VALUE = 0.15;
const FIELD_NAMED = 0.2;
/** Applies when the query names fields, but not the field of the value. */
const OTHER_FIELD_FACTOR = 0.6;

function valueScore(query: MetadataQuery, value: MetadataValue): number {
  const words = [...new Set(value.text.split(' '))].filter(isDistinctive);
  const hits = words.filter((word) => query.words.includes(word));
  const isNamed = query.fields.has(value.field);
  const isWhole = containsPhrase(query.text, value.text);
  if (!isStrong({ query, value, words, hits, isNamed, isWhole })) return 0;
  const points =
    BASE +
    (OF_VALUE * hits.length) / words.length +
    (OF_QUERY * hits.length) / query.words.length +
    (isWhole ? WHOLE_VALUE : 0) +
    (isNamed ? FIELD_NAMED : 0);
  return Math.min(1, points) * (isNamed || query.fields.size === 0 ? 1 : OTHER_FIELD_FACTOR);
}

type ValueHits = {
  readonly query: MetadataQuery;
  readonly value: MetadataValue;
  readonly words: readonly string[];
  readonly hits: readonly string[];
  readonly isNamed: boolean;
  readonly isWhole: boolean;
};

/**
 * Extracted entities match only a query that names the field `entities`. A query that names a repository matches only
 * that repository.
 */
function isStrong({ query, value, words, hits, isNamed, isWhole }: ValueHits): boolean {
  if (value.field === 'entities' && !isNamed) return false;
  if (value.field === 'repo' && isNamed && !isWhole && hits.length < query.words.length) return false;
  if (hits.length >= 2 && words.length >= 2) return true;
  const [only] = hits;
  if (only === undefined || (!isNamed && query.fields.size > 0)) return false;
  const isExact = only === value.text;
  const isLong = wordWeight(only) >= LONG_WEIGHT;
  return isNamed ? isExact || isLong : isExact && isLong && query.words.length <= SHORT_QUERY;
}

/** How many words of the query a memory must hold for a strong match. */
export function strongWords({ fields, words }: Pick<MetadataQuery, 'fields' | 'words'>): number {
  return fields.size === 0 && words.length > SHORT_QUERY ? 2 : 1;
}

const LONG_WEIGHT = 5;
const SHORT_QUERY = 3;

function containsPhrase(text: string, phrase: string): boolean {
  return ` ${text} `.includes(` ${phrase} `);
}
