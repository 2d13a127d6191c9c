/** What the parts of an event share have in common. */
import type { JournalReader } from '../../journal/journal.js';
import type { Logger } from '../../kernel/logger.js';
import type { EventSubscription } from '../stream.js';
import type { LowWater } from './create-low-water.js';
import type { TopicOffsets } from './topic-offsets.js';

export type ShareContext = {
  readonly topic: string;
  readonly offsets: TopicOffsets;
  readonly journal: Pick<JournalReader, 'read' | 'head'>;
  readonly subscription: EventSubscription;
  /** Outlives the share: what has been handled stays so, whoever gets the partition next. */
  readonly lowWater: LowWater;
  /** One batch at a time, in the order of the calls. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  readonly isPaused: () => boolean;
  /** Aborted when a closing subscription asks its running batch to give up. */
  readonly giveUp: AbortSignal;
  readonly logger: Logger;
};
