/** Memories and candidates for the tests of the read side: plain values with overrides. */
import type { Evidence, HydratedCandidate, Replaced } from '../../../../query-api/recall/candidate.js';
import type { Memory, MemoryId } from '../../../../shared/contract/memory.js';
import { tagPrefixes } from '../../../../shared/text/tags.js';

export const NOW = new Date('2024-06-12T15:30:00Z');
export const NOW_TEXT = '2024-06-12T15:30:00+00:00';

export function numberedId(number: number): MemoryId {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}` as MemoryId;
}

export function memoryOf(number: number, overrides: Partial<Memory> = {}): Memory {
  const tags = overrides.tags ?? [];
  return {
    id: numberedId(number),
    content: `Memory number ${number}`,
    type: 'Context',
    confidence: 0.6,
    tags,
    tag_prefixes: tagPrefixes(tags),
    importance: 0.5,
    metadata: {},
    timestamp: NOW_TEXT,
    updated_at: overrides.timestamp ?? NOW_TEXT,
    last_accessed: NOW_TEXT,
    enriched: false,
    processed: false,
    ...overrides,
  };
}

export function candidateOf(memory: Memory, ...evidence: readonly Evidence[]): HydratedCandidate {
  return { memory, position: 0, evidence, replaces: null };
}

export function replacedOf(memory: Memory, overrides: Partial<Replaced> = {}): Replaced {
  return { memory, position: 0, evidence: [], type: 'EVOLVED_INTO', strength: 1, share: 0.9, ...overrides };
}
