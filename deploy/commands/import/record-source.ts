/** A checked file as the records of an import. Memories are read before associations, each as often as needed. */
import type { LeftOut, SourceRecord } from './send-records.js';

export type RecordSource = {
  /** One sentence for the summary: what the file is and has. */
  readonly found: string;
  /** What is skipped or decided, and why; one sentence each. */
  readonly notes: readonly string[];
  /** Records that are left out although the file has them as data of the user; they are counted by the check. */
  readonly leftOut: number;
  /** Memories and associations, for the progress. */
  readonly records: number;
  readonly memories: () => AsyncIterable<SourceRecord | LeftOut>;
  readonly associations: () => AsyncIterable<SourceRecord | LeftOut>;
  readonly close: () => Promise<void>;
};
