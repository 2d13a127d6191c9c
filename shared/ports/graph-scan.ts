/** The port that walks over the whole graph in pages, for comparisons with the journal and the vector index. */
import type { AssociationKey, AssociationType } from '../contract/association.js';
import type { MemoryId, Timestamp } from '../contract/memory.js';
import type { LoadedAssociation, LoadedMemory } from './graph.js';

/** The last memory of the page before. */
export type NewestCursor = { readonly timestamp: Timestamp; readonly id: MemoryId };

/**
 * Every method throws DependencyError('graph') when the engine fails. What is written during the walk may be missing.
 */
export interface GraphScan {
  /**
   * Present memories by id ascending. `after`: the last id of the page before, '' for the first page. At most 1,000.
   */
  memories(request: { readonly after: string; readonly limit: number }): Promise<readonly LoadedMemory[]>;
  /** Present memories by timestamp descending, then by id. `before`: null for the first page. At most 1,000. */
  newest(request: { readonly before: NewestCursor | null; readonly limit: number }): Promise<readonly LoadedMemory[]>;
  /**
   * Associations of callers between present memories, without derived ones, in an order that the engine chooses and
   * keeps. `after`: the last key of the page before, null for the first page. At most 1,000.
   */
  associations(request: {
    readonly after: AssociationKey | null;
    readonly limit: number;
  }): Promise<readonly LoadedAssociation[]>;
  /**
   * How many associations of these types each memory has, in both directions; a memory without any is absent. At most
   * 1,000 ids.
   */
  degrees(request: {
    readonly ids: readonly MemoryId[];
    readonly types: readonly AssociationType[];
  }): Promise<ReadonlyMap<MemoryId, number>>;
}
