/**
 * The labels of a memory's node. All labels except `Subject` and `Memory` exist for counts: the server knows the number
 * of nodes with a label, while counting by a property takes 50 ms at 100,000 memories.
 */
import { type Memory, memorySchema } from '../../../contract/memory.js';

export function labelsOf({ type, enriched }: Pick<Memory, 'type' | 'enriched'>): readonly string[] {
  return ['Memory', type, ...(enriched ? [] : [UNENRICHED, `${UNENRICHED}${type}`])];
}

export const UNENRICHED = 'Unenriched';

/** The label of a tombstone that still has associations. It gets no new ones. */
export const DELETED_HUB = 'DeletedHub';

/**
 * The memory types among `names`, each once. Other names are dropped, because labels become part of a statement's text.
 */
export function knownTypes(names: readonly string[]): readonly string[] {
  return memorySchema.properties.type.enum.filter((type) => names.includes(type));
}
