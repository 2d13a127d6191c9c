/** Tag keys as terms of the full-text index: one key, one token, whole tags and prefixes apart. */
import { tagPrefixes, wholeTagKey } from '../../text/tags.js';

/** Stands among the keys of a memory that is archived or will end. Tag keys begin with a digit. */
export const ENDING_TERM = 'ends';

export const WHOLE_TAG = 0;
export const TAG_PREFIX = 1;
export type TagKey = { readonly kind: typeof WHOLE_TAG | typeof TAG_PREFIX; readonly key: string };

/** Every key under which a memory with these tags is found, each once. */
export function tagKeys(tags: readonly string[]): TagKey[] {
  const whole = new Set(tags.map(wholeTagKey));
  return [
    ...[...whole].map((key) => ({ kind: WHOLE_TAG, key }) as const),
    ...tagPrefixes(tags).map((key) => ({ kind: TAG_PREFIX, key }) as const),
  ];
}

/** A token ends at ASCII blanks and control characters; `%` marks what stands for them, and for itself. */
export function tagTerm({ kind, key }: TagKey): string {
  return `${kind}${key.replace(/[\x00-\x20%\x7f]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}.`)}`;
}
