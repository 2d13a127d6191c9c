/** The dependencies that the parts of an event assignment share. */
import type { SerialQueue } from '../../../kernel/concurrency/serial-queue.js';
import type { Logger } from '../../../kernel/logger.js';
import type { JournalReader } from '../../../ports/journal.js';
import type { OutboxReader } from '../../../ports/outbox.js';
import type { EventSubscription } from '../../../ports/stream.js';
import type { HistoryId } from '../checkpoint.js';
import type { TopicOffsets } from '../topic-offsets.js';
import type { LowWatermark } from './low-watermark.js';

export type AssignmentContext = {
  readonly topic: string;
  /** A checkpoint of another history counts as one at position 0. */
  readonly history: HistoryId;
  readonly offsets: TopicOffsets;
  readonly journal: Pick<JournalReader, 'read' | 'head'>;
  readonly unapplied: OutboxReader['unapplied'];
  readonly subscription: EventSubscription;
  /** Outlives the assignment: handled events stay handled when the partition moves to another member. */
  readonly lowWatermark: LowWatermark;
  /** Runs one batch at a time, in the order of the calls. */
  readonly enqueue: SerialQueue;
  readonly isPaused: () => boolean;
  /** Aborted when a closing subscription asks its running batch to stop. */
  readonly handlerSignal: AbortSignal;
  readonly logger: Logger;
};
