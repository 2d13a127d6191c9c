/**
 * The port of the index's mark: the journal from which the index was made, and the applied position. Only the vector
 * indexer moves it.
 */
import type { JournalMark } from '../contract/envelope.js';

/**
 * Each method throws DependencyError('vectors') when the engine fails. No search, count or version of the index
 * includes the mark.
 */
export interface IndexMark {
  /** Null for an index that has no mark, and for one that does not exist yet. */
  read(): Promise<JournalMark | null>;
  /**
   * Marks an index that has no mark, and moves the mark of the same journal forward. A mark of another journal, or one
   * at this position or a later one, stays as it is, whatever other processes write at the same time. For positions
   * from 1.
   */
  advance(mark: JournalMark): Promise<void>;
}
