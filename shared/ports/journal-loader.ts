/**
 * The port by which a restore fills the empty journal of a stopped deployment. No committer may run at the same time.
 */
import type { RecordedEvent } from '../contract/events.js';

export interface JournalLoader {
  /**
   * Appends events with their positions, and moves their subjects to the highest version. An event that is there
   * already changes nothing.
   */
  load(events: readonly RecordedEvent[]): Promise<void>;
  /** After the last event: erases what a later event of the same subject erases, and hands the events to the stream. */
  finish(): Promise<void>;
}
