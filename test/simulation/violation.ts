/** The invariants of the simulation, what a check found, and the record of the topic that checks read. */
import type { RecordedEvent } from '../../shared/contract/events.js';

export type Violation = {
  readonly invariant: Invariant;
  /** What was found, with subjects and positions. */
  readonly found: string;
  /** A text that marks the steps of the schedule that concern it. */
  readonly about: string;
};

export const INVARIANTS = [
  'the simulation starts',
  'an acknowledged write is in the journal',
  'a journal that went back is noticed',
  'the graph is the fold of the journal',
  'all is quiet in the end',
  'no event loses its row in the outbox',
  'first appearances are in order per key',
  'erased words do not return to the topic',
  'erased words are nowhere',
  'a reply with `graph: true` shows the write',
  'the index shows no event that the graph lacks',
  'the index is the fold of the journal',
] as const;
export type Invariant = (typeof INVARIANTS)[number];

/** An event that a relay published. */
export type TopicRecord = {
  readonly event: Pick<RecordedEvent, 'id' | 'type' | 'subject' | 'partitionKey' | 'version' | 'position'> & {
    readonly data: unknown;
  };
  readonly process: string;
  readonly at: number;
};
