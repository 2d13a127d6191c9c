/** What a graph shows of the associations that start at a memory, in a form that tests compare. */
import type { GraphReader } from '../../../shared/ports/graph.js';
import { memoryId } from '../fixtures/memories.js';

/** Type, strength and target. */
export type Shown = readonly [type: string, strength: number, target: string];

export async function associationsFrom(
  number: number,
  reader: Pick<GraphReader, 'relations'>,
): Promise<readonly Shown[]> {
  const id = memoryId(number);
  const found = await reader.relations({ ids: [id], direction: 'outgoing', limit: 100 });
  return (found.get(id) ?? [])
    .map(({ type, strength, memory }): Shown => [type, strength, memory.id])
    .sort((a, b) => (a.join() < b.join() ? -1 : 1));
}

export async function countAssociations(reader: Pick<GraphReader, 'counts'>): Promise<number> {
  return (await reader.counts({ excludedTypes: [] })).associations;
}
