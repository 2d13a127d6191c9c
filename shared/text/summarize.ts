/** Builds the summary of a memory for a relation, in the same way for every graph engine. */
import type { Memory, MemorySummary } from '../contract/memory.js';

const CONTENT_LENGTH = 160;
/** Leaves room for the ellipsis. */
const CUT_LENGTH = 157;
const TAG_COUNT = 5;

export function summarize(memory: Memory): MemorySummary {
  const { id, type, timestamp, importance, confidence, summary } = memory;
  const words = summary === undefined ? { content: cut(memory.content.trim()) } : { summary };
  const tags = memory.tags.length === 0 ? {} : { tags: memory.tags.slice(0, TAG_COUNT) };
  return { id, type, timestamp, ...words, importance, confidence, ...tags };
}

/** Cuts at the last blank, if there is one. Counts characters, so that no character is cut in two. */
function cut(content: string): string {
  if (content.length <= CONTENT_LENGTH) return content;
  const characters = [...content.slice(0, 2 * (CONTENT_LENGTH + 1))];
  if (characters.length <= CONTENT_LENGTH) return content;
  const kept = characters.slice(0, CUT_LENGTH).join('');
  const blank = kept.lastIndexOf(' ');
  return `${blank > 0 ? kept.slice(0, blank) : kept}…`;
}
