/** Found memories as fixtures for the tests of recall answers. */
import type { Found, FoundMemory } from '../../../../deploy/mcp/recall/found.js';

export type FoundFields = Partial<Omit<FoundMemory, 'memory'>> & { readonly memory?: Partial<FoundMemory['memory']> };

export function foundMemory(number: number, { memory = {}, ...fields }: FoundFields = {}): FoundMemory {
  const id = idOf(number);
  return {
    id,
    final_score: 0.8 - number / 100,
    match_type: 'semantic',
    relations: [],
    ...fields,
    memory: {
      id,
      content: `Memory ${number}`,
      tags: ['team'],
      importance: 0.5,
      type: 'Decision',
      confidence: 0.9,
      metadata: {},
      timestamp: '2024-01-01T00:00:00+00:00',
      updated_at: '2024-01-01T00:00:00+00:00',
      last_accessed: '2024-02-01T00:00:00+00:00',
      ...memory,
    },
  };
}

export function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

export function ranked(memories: readonly FoundMemory[], about: Found['about'] = {}): Found {
  return { mode: 'ranked', memories, about };
}
