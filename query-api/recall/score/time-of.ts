/** The time of a memory in milliseconds, parsed once. */
import type { Memory } from '../../../shared/contract/memory.js';
import { oncePerObject } from '../../../shared/kernel/once-per-object.js';

export const timeOf = oncePerObject(({ timestamp }: Pick<Memory, 'timestamp'>): number => Date.parse(timestamp));
