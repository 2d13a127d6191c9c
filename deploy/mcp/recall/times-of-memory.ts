/** The times of a memory that say something. */
import type { ReadMemory } from './found.js';

export type MemoryTimes = {
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly validFrom?: string;
  readonly validUntil?: string;
};

/** Enrichment lets every memory be valid from when it was made: that it is so needs no words. */
export function timesOfMemory({ timestamp, created_at, updated_at, t_valid, t_invalid }: ReadMemory): MemoryTimes {
  const createdAt = timestamp ?? created_at;
  const updatedAt = updated_at ?? createdAt;
  return {
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(updatedAt === undefined ? {} : { updatedAt }),
    ...(t_valid === undefined || t_valid === createdAt ? {} : { validFrom: t_valid }),
    ...(t_invalid === undefined ? {} : { validUntil: t_invalid }),
  };
}
