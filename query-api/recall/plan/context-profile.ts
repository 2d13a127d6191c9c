/** Reads what a caller works on, pure: the tags, types and ids that raise the score of a memory in this recall. */
import { TAG_LENGTH_LIMIT } from '../../../shared/contract/limits.js';
import type { MemoryId } from '../../../shared/contract/memory.js';
import type { RecallQuery } from '../../../shared/contract/queries/recall-query.js';
import { parseMemoryId } from '../../../shared/kernel/memory-id.js';
import { programmingLanguage } from './programming-language.js';

/** The most tags and types that count; further ones are ignored. Each tag is compared with every tag of the pool. */
export const CONTEXT_TAG_LIMIT = 50;
export const CONTEXT_TYPE_LIMIT = 20;
/** Ids are hydrated together with the candidates, at most 1,000 memories per round trip. */
export const PRIORITY_ID_LIMIT = 50;

export type ContextProfile = {
  readonly language: string | null;
  /** The caller's label in lower case. */
  readonly context: string | null;
  /** Lower case, distinct, ascending. */
  readonly tags: readonly string[];
  /** The same tags, normalized by `tagPhrase` for comparison. */
  readonly tagPhrases: readonly string[];
  /** First letter upper case, distinct, ascending. */
  readonly types: readonly string[];
  /** In the order of the request. */
  readonly ids: readonly MemoryId[];
};

const STYLE_WORDS = /(?<![\p{L}\p{N}])(?:styles?|guidelines?|pep8|formatting|lint|preferences?)(?![\p{L}\p{N}])/iu;
const STYLE_TAGS = ['coding-style', 'style', 'style-guide', 'preferences', 'preference:coding'];
const STYLE_TYPES = ['Style', 'Preference'];

/** Null when the request does not say what the caller works on. `text` is the text of the search. */
export function contextProfile(request: RecallQuery, text: string | null): ContextProfile | null {
  const language = tagOf(programmingLanguage({ ...request, text }));
  const context = tagOf(request.context ?? null);
  const isAboutStyle = language !== null || STYLE_WORDS.test(request.context ?? '') || STYLE_WORDS.test(text ?? '');
  const tags = distinct([
    ...(language === null ? [] : [language, `${language}-style`, `${language}:style`]),
    ...(isAboutStyle ? STYLE_TAGS : []),
    ...(context === null || isAboutStyle ? [] : [context]),
    ...(request.context_tags ?? []).slice(0, CONTEXT_TAG_LIMIT).flatMap((tag) => tagOf(tag) ?? []),
  ]);
  const types = distinct([
    ...(isAboutStyle ? STYLE_TYPES : []),
    ...(request.context_types ?? []).slice(0, CONTEXT_TYPE_LIMIT).map(titleCase),
  ]);
  const ids = [...new Set((request.priority_ids ?? []).flatMap((id) => parseMemoryId(id) ?? []))].slice(
    0,
    PRIORITY_ID_LIMIT,
  );
  if (tags.length + types.length + ids.length === 0) return null;
  return { language, context, tags, tagPhrases: tags.map(tagPhrase), types, ids };
}

/** Null for a text that cannot be a tag: only punctuation, or too long. */
function tagOf(text: string | null): string | null {
  const tag = text?.trim().toLowerCase() ?? '';
  return tagPhrase(tag) === '' || tag.length > TAG_LENGTH_LIMIT ? null : tag;
}

function titleCase(type: string): string {
  return type.slice(0, 1).toUpperCase() + type.slice(1).toLowerCase();
}

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort();
}

/**
 * A tag as whole words with a blank before and after each, so that a substring test finds whole words only: `go` in
 * `lang:go`, not in `category`.
 */
export function tagPhrase(tag: string): string {
  const words = tag.toLowerCase().match(/[\p{L}\p{N}\p{M}\p{So}+#]+/gu) ?? [];
  return words.length === 0 ? '' : ` ${words.join(' ')} `;
}
