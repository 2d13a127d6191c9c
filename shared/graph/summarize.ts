/** What a relation shows of a memory, the same from every graph engine. */
import type { Memory, MemorySummary } from '../contract/memory.js';

const CONTENT_LENGTH = 160;
const TAG_COUNT = 5;

export function summarize(memory: Memory): MemorySummary {
  const { id, type, timestamp, importance, confidence, summary } = memory;
  const words = summary === undefined ? { content: cut(memory.content) } : { summary };
  return { id, type, timestamp, ...words, importance, confidence, tags: memory.tags.slice(0, TAG_COUNT) };
}

/** Counted in characters, so that none is cut in two. */
function cut(content: string): string {
  return content.length <= CONTENT_LENGTH ? content : [...content.slice(0, 2 * CONTENT_LENGTH)].slice(0, CONTENT_LENGTH).join('');
}
