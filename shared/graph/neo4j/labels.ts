/**
 * The labels of a memory's node. Beside `Subject` and `Memory` they are there to be counted: the server knows how many nodes have one
 * label, and counting by a property takes 50 ms at 100,000 memories.
 */
import { memorySchema, type Memory } from '../../contract/memory.js';

export function labelsOf({ type, enriched }: Pick<Memory, 'type' | 'enriched'>): readonly string[] {
  return ['Memory', type, ...(enriched ? [] : [UNENRICHED, `${UNENRICHED}${type}`])];
}

export const UNENRICHED = 'Unenriched';

/** The types among `names`, each once; no memory has another, and a label stands in the text of a statement. */
export function knownTypes(names: readonly string[]): readonly string[] {
  return memorySchema.properties.type.enum.filter((type) => names.includes(type));
}
