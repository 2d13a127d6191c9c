/** Memories and associations in the form in which the graph routes return them. */
import type { AssociationKey } from '../../shared/contract/association.js';
import { associationColor, memoryColor } from '../../shared/contract/graph-views/drawing.js';
import type { Memory } from '../../shared/contract/memory.js';
import { rounded } from '../recall/present/rounded.js';

export function drawNeighbour({ id, content, type, importance, confidence, tags, timestamp }: Memory) {
  return {
    id,
    content,
    type,
    importance,
    confidence,
    tags,
    timestamp,
    color: memoryColor(type),
    radius: rounded(0.5 + 1.5 * importance),
    opacity: rounded(0.4 + 0.6 * confidence),
  };
}

export function drawMemory(memory: Memory) {
  const { updated_at: updatedAt, metadata } = memory;
  return { ...drawNeighbour(memory), updated_at: updatedAt, metadata };
}

export function drawAssociation({ source, type, target, strength }: AssociationKey & { readonly strength: number }) {
  return { id: `${source}-${type}-${target}`, source, target, type, strength, color: associationColor(type) };
}

/** Ends of an association that are both among these memories. */
export function isAmong(ids: ReadonlySet<string>): (association: AssociationKey) => boolean {
  return ({ source, target }) => ids.has(source) && ids.has(target);
}
