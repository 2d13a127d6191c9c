/** The parts of a memory that formats show: excerpt, times, first associations, shortened texts and lists. */
import type { FoundMemory, ReadMemory, ReadRelation } from './found.js';

export const EXCERPT_CHARACTERS = 400;

export type Excerpt = {
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** The memory has more content than the excerpt shows. */
  readonly isCut: boolean;
};

/**
 * Content of at most 400 characters is shown whole. Longer content is shown by its summary, or by its beginning where
 * it has no summary. A summary is a first sentence: shown for every memory that has one, it keeps 24 % of the text of
 * 2,747 turns of dialogue, and often only the greeting.
 */
export function excerptOf({ content, summary = '' }: Pick<ReadMemory, 'content' | 'summary'>): Excerpt {
  if (content.length <= EXCERPT_CHARACTERS) return { text: content, fields: { content }, isCut: false };
  const characters = { content_chars: content.length };
  if (summary.trim() !== '') {
    const clipped = clip(summary.trim(), EXCERPT_CHARACTERS);
    return {
      text: `${clipped} (summary of ${content.length} characters)`,
      fields: { summary: clipped, ...characters },
      isCut: true,
    };
  }
  const beginning = clip(content, EXCERPT_CHARACTERS);
  return {
    text: `${beginning} (of ${content.length} characters)`,
    fields: { content: beginning, content_truncated: true, ...characters },
    isCut: true,
  };
}

const SHORT_TAGS = 5;
const SHORT_TAG_CHARACTERS = 64;

/** The tags of a memory that is shortened. */
export function firstTags(tags: readonly string[]): string[] {
  return tags.slice(0, SHORT_TAGS).map((tag) => clip(tag, SHORT_TAG_CHARACTERS));
}

/** Enrichment sets `t_valid` of every memory to its creation time: that value adds nothing, so it is left out. */
export function timesOfMemory({ timestamp, created_at, updated_at, t_valid, t_invalid }: ReadMemory) {
  const createdAt = timestamp ?? created_at;
  const updatedAt = updated_at ?? createdAt;
  return { createdAt, updatedAt, validFrom: t_valid === createdAt ? undefined : t_valid, validUntil: t_invalid };
}

const SHOWN_RELATIONS = 3;
const SUMMARY_CHARACTERS = 100;

/** What a model needs to decide whether to follow an association. */
export type RelationStub = {
  readonly id: string;
  readonly type: string;
  readonly direction?: string;
  readonly strength?: number;
  readonly summary?: string;
};

export function relationsOf({ relations, related_to: relatedTo }: FoundMemory): readonly ReadRelation[] {
  return relations ?? relatedTo ?? [];
}

/** The first three. */
export function relationStubs(found: FoundMemory): readonly RelationStub[] {
  return relationsOf(found).slice(0, SHOWN_RELATIONS).map(relationStub);
}

/** A memory that expansion reached names the other end of its association in `from`. */
export function relationStub({ type = 'RELATED', direction, strength, from, memory = {} }: ReadRelation): RelationStub {
  const summary = memory.summary ?? memory.content;
  return {
    id: memory.id ?? from ?? '',
    type,
    ...(direction === undefined ? {} : { direction }),
    ...(strength === undefined ? {} : { strength }),
    ...(summary === undefined ? {} : { summary: clip(summary, SUMMARY_CHARACTERS) }),
  };
}

/** Cuts a text to `limit` characters and appends an ellipsis. A surrogate pair is kept or removed as a whole. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const endsInsidePair = /[\ud800-\udbff]/u.test(text.charAt(limit - 1));
  return `${text.slice(0, endsInsidePair ? limit - 1 : limit)}…`;
}

const TEXT_CHARACTERS = 256;
const LIST_ITEMS = 20;

/** For what an answer repeats of its request, which has no limit of its own; at any depth. */
export function clipFields(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, clipValue(value)]));
}

function clipValue(value: unknown): unknown {
  if (typeof value === 'string') return clip(value, TEXT_CHARACTERS);
  if (Array.isArray(value)) return value.slice(0, LIST_ITEMS).map(clipValue);
  return typeof value === 'object' && value !== null ? clipFields(value as Readonly<Record<string, unknown>>) : value;
}
