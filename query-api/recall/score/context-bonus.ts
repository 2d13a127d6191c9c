/**
 * Computes the bonus of a memory that fits what the caller works on, pure. It is the only component that can exceed 1
 * (its maximum is 1.8) and has no weight, so that a fitting memory outranks a moderate match.
 */
import type { Memory } from '../../../shared/contract/memory.js';
import { type ContextProfile, tagPhrase } from '../plan/context-profile.js';

const TAG_BONUS = 0.45;
const TYPE_BONUS = 0.25;
const LANGUAGE_BONUS = 0.2;
const ID_BONUS = 0.9;

/** `terms`: the words of the memory's metadata. */
export function contextBonus(profile: ContextProfile | null, memory: Memory, terms: ReadonlySet<string>): number {
  if (profile === null) return 0;
  return (
    (hasTag(profile, memory) ? TAG_BONUS : 0) +
    (profile.types.some((type) => type.toLowerCase() === memory.type.toLowerCase()) ? TYPE_BONUS : 0) +
    (profile.language !== null && terms.has(profile.language) ? LANGUAGE_BONUS : 0) +
    (profile.ids.includes(memory.id) ? ID_BONUS : 0)
  );
}

/** Compares whole words of a tag, because parts of words match by chance: `go` in `category`, `art` in `start`. */
function hasTag({ tagPhrases }: ContextProfile, { tags }: Memory): boolean {
  return tagPhrases.length > 0 && tags.map(tagPhrase).some((tag) => tagPhrases.some((phrase) => tag.includes(phrase)));
}
