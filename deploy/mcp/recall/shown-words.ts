/** What is shown of the content of a memory where room is scarce. */
import { clip } from './clip.js';
import type { ReadMemory } from './found.js';

export const PREVIEW_CHARACTERS = 400;

export type ShownWords = {
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** There is more than what is shown. */
  readonly isCut: boolean;
};

/**
 * Content that fits a preview is shown whole, and only longer content by its summary, else its beginning. A summary is a first sentence: shown
 * wherever there is one it would have kept 24 % of the text of 2,747 turns of dialogue, of many no more than the greeting.
 */
export function shownWords({ content, summary = '' }: Pick<ReadMemory, 'content' | 'summary'>): ShownWords {
  if (content.length <= PREVIEW_CHARACTERS) return { text: content, fields: { content }, isCut: false };
  const characters = { content_chars: content.length };
  if (summary.trim() !== '') {
    const shown = clip(summary.trim(), PREVIEW_CHARACTERS);
    return {
      text: `${shown} (summary of ${content.length} characters)`,
      fields: { summary: shown, ...characters },
      isCut: true,
    };
  }
  const preview = clip(content, PREVIEW_CHARACTERS);
  return {
    text: `${preview} (of ${content.length} characters)`,
    fields: { content: preview, content_truncated: true, ...characters },
    isCut: true,
  };
}
