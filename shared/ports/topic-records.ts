/**
 * The port of the topic records: what is remembered of an event topic outside of Kafka. Kafka can lose records that it
 * acknowledged (a power loss before they reach the disk, an unclean leader election) without an error: the topic only
 * ends earlier than before.
 */
export type TopicRecord = {
  /**
   * Increases when Kafka lost records or the topic was replaced. A checkpoint of an earlier generation continues in the
   * journal.
   */
  readonly generation: number;
  /** The highest known end offset of each partition. Events are distributed over this number of partitions. */
  readonly ends: readonly bigint[];
  /** The number of partitions that Kafka has: more than `ends` after partitions were added. */
  readonly partitions: number;
};

/** What begins or raises the ends of a generation. */
export type TopicEnds = Pick<TopicRecord, 'generation' | 'ends'>;

export interface TopicRecords {
  /** Null for a topic without a record. */
  find(topic: string): Promise<TopicRecord | null>;
  /** Creates the record in generation 1, or keeps an existing record. Returns the record that exists afterwards. */
  create(topic: string, ends: readonly bigint[]): Promise<TopicRecord>;
  /**
   * Raises the ends, durably; a lower end changes nothing. False, without a change, when another generation has begun.
   */
  raise(topic: string, reached: TopicEnds): Promise<boolean>;
  /**
   * Ends this generation and begins the next one with these ends. No effect when it has ended. Returns the record that
   * exists afterwards.
   */
  renew(topic: string, next: TopicEnds): Promise<TopicRecord>;
  /** Notes the number of partitions that Kafka has. */
  notePartitions(topic: string, partitions: number): Promise<void>;
}
