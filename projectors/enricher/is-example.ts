/**
 * Chooses the memories that get an association with the pattern of their type. The pattern keeps the number of its memories in its metadata, so
 * a sample of associations is enough, and the pattern of a large type does not become a hub.
 */
import { createHash } from 'node:crypto';
import type { MemoryId } from '../../shared/contract/memory.js';

/**
 * While the pattern knows of at most this many memories, each of them is an example; later this many of those that come before its number
 * doubles. So 300,000 memories of a type give 5,000 associations.
 */
export const EXAMPLES = 500;

/** Depends on nothing but its arguments, so a repeated enrichment has the same result. */
export function isExample(id: MemoryId, observations: number): boolean {
  return fractionOf(id) * observations < EXAMPLES;
}

/** Of the range of all hashes, evenly spread. An id itself may start with a time. */
function fractionOf(id: MemoryId): number {
  return createHash('sha1').update(id).digest().readUInt32BE(0) / 2 ** 32;
}
