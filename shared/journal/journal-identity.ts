/** The port of the journal's identity, with which stores that are made from the journal are compared. */

export type JournalState = {
  /** A UUID, made once with the tables of the journal. */
  readonly id: string;
  /** The last committed position; 0 for an empty journal. */
  readonly head: number;
  /** The position of an event that the graph has for certain, with all before it; 0 without one. */
  readonly applied: number;
  /** True once a graph has the mark of this journal. A graph without a mark is then empty, or another one. */
  readonly hasMarkedGraph: boolean;
};

/** Each method costs one short read or write, and throws DependencyError when the engine fails. */
export interface JournalIdentity {
  state(): Promise<JournalState>;
  /** Null when the journal has no event at this position. */
  eventIdAt(position: number): Promise<string | null>;
  /** Saves that a graph has the mark of this journal. */
  saveGraphMarked(): Promise<void>;
}
