/** Reads the events of some partitions from the journal, for events that Kafka no longer holds or never held. */
import type { RecordedEvent } from '../../../contract/events.js';
import { withAnySignal } from '../../../kernel/concurrency/abort-signals.js';
import { createLoop } from '../../../kernel/concurrency/loop.js';
import type { JournalReader } from '../../../ports/journal.js';
import type { OutboxReader } from '../../../ports/outbox.js';

/** Progress is saved after this many pages: a crash repeats little work, and a long journal costs few commits. */
const PAGES_PER_SAVE = 50;
const PACE = { idleMinimumMs: 50, idleMaximumMs: 200, failedMinimumMs: 100, failedMaximumMs: 10_000 };

const NONE: ReadonlySet<number> = new Set();

export type CatchUp = {
  readonly journal: Pick<JournalReader, 'read'>;
  /** Reading starts behind this position ... */
  readonly after: number;
  /** ... and ends at this position or later. */
  readonly through: number;
  readonly batchSize: number;
  /** True for the events of the partitions that catch up. */
  readonly isOurs: (event: RecordedEvent) => boolean;
  /**
   * Which of these events the graph lacks. They are left out, so that no projection gets ahead of the graph: the relay
   * publishes each of them after the graph has it.
   */
  readonly unapplied: OutboxReader['unapplied'];
  readonly isPaused: () => boolean;
  readonly handle: (events: readonly RecordedEvent[]) => Promise<void>;
  /** Saves that every event at or below the position is handled. Events that were left out stay above it. */
  readonly save: (position: number) => Promise<void>;
  readonly onFailure: (error: unknown, waitMs: number) => void;
  readonly signal: AbortSignal;
};

/**
 * Resolves with the position up to which every event is handled, or with null when the signal was aborted first. It
 * repeats a failed step without a limit.
 */
export async function catchUp({
  journal,
  after,
  through,
  batchSize,
  isOurs,
  unapplied,
  isPaused,
  handle,
  save,
  onFailure,
  signal,
}: CatchUp): Promise<number | null> {
  const done = new AbortController();
  let position = after;
  let firstLeftOut = Infinity;
  let pages = 0;
  const handled = (): number => Math.min(position, firstLeftOut - 1);

  async function readPage(): Promise<'full' | 'idle'> {
    if (isPaused()) return 'idle';
    if (position >= through) {
      done.abort();
      return 'idle';
    }
    const page = await journal.read({ after: position, limit: batchSize });
    const ours = page.filter(isOurs);
    const lacking = ours.length > 0 ? await unapplied(ours.map((event) => event.position)) : NONE;
    const events = ours.filter((event) => !lacking.has(event.position));
    if (events.length > 0) await handle(events);
    firstLeftOut = Math.min(firstLeftOut, ...lacking);
    position = page.at(-1)?.position ?? through;
    pages += 1;
    if (pages % PAGES_PER_SAVE === 0) await save(handled());
    return 'full';
  }

  await withAnySignal([signal, done.signal], createLoop({ step: readPage, onFailure, pace: PACE }).run);
  return done.signal.aborted ? handled() : null;
}
