/**
 * What a memory gains because it fits what the caller works on, pure. The one component that may exceed 1 (1.8 when all of it holds):
 * it is added to the score as it is, so that fitting outweighs a middling match.
 */
import type { Memory } from '../../shared/contract/memory.js';
import type { ContextProfile } from './context-profile.js';
import { tagPhrase } from './tag-phrase.js';

const TAG_BONUS = 0.45;
const TYPE_BONUS = 0.25;
const LANGUAGE_BONUS = 0.2;
const ID_BONUS = 0.9;

/** `terms` are the words of the memory's metadata. */
export function contextBonus(profile: ContextProfile | null, memory: Memory, terms: ReadonlySet<string>): number {
  if (profile === null) return 0;
  return (
    (hasTag(profile, memory) ? TAG_BONUS : 0) +
    (profile.types.some((type) => type.toLowerCase() === memory.type.toLowerCase()) ? TYPE_BONUS : 0) +
    (profile.language !== null && terms.has(profile.language) ? LANGUAGE_BONUS : 0) +
    (profile.ids.includes(memory.id) ? ID_BONUS : 0)
  );
}

/** Whole words of a tag; a part of a word is chance: `go` is in `category`, `art` in `start`. */
function hasTag({ tagPhrases }: ContextProfile, { tags }: Memory): boolean {
  return (
    tagPhrases.length > 0 && tags.map(tagPhrase).some((held) => tagPhrases.some((wanted) => held.includes(wanted)))
  );
}
