/**
 * Reads the source of a memory, pure. Here a source is the text that a memory is a piece of, named by one field of its
 * metadata, and not a way to search. A memory without the field has no source.
 */
import type { Memory } from '../../../shared/contract/memory.js';

/** The value of the field. The text `7` and the number 7 are two sources. */
export type SourceKey = string | number;

/** Null without a field, and for a value that is blank, or neither a text nor a finite number. */
export function sourceKeyOf({ metadata }: Pick<Memory, 'metadata'>, field: string | null): SourceKey | null {
  const value = field === null ? null : metadata[field];
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
