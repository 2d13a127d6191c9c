/** Reads from the journal what Kafka no longer has, or never had, for some partitions. */
import type { RecordedEvent } from '../../contract/events.js';
import type { JournalReader } from '../../journal/journal.js';
import { createLoop } from '../../kernel/loop.js';

/** Progress is saved this often: a crash repeats less, and a long journal costs few commits. */
const PAGES_PER_SAVE = 50;
const PACE = { idleMinimumMs: 50, idleMaximumMs: 200, failedMinimumMs: 100, failedMaximumMs: 10_000 };

export type CatchUp = {
  readonly journal: Pick<JournalReader, 'read'>;
  /** Read on behind this position ... */
  readonly after: number;
  /** ... up to this one at least. */
  readonly through: number;
  readonly batchSize: number;
  readonly isOurs: (event: RecordedEvent) => boolean;
  readonly isPaused: () => boolean;
  readonly handle: (events: readonly RecordedEvent[]) => Promise<void>;
  /** Everything at or below the position has been handled. */
  readonly save: (position: number) => Promise<void>;
  readonly onFailure: (error: unknown, waitMs: number) => void;
  readonly signal: AbortSignal;
};

/** The position that it came to, or null when the signal was aborted before. What fails is tried again for as long as it takes. */
export async function catchUp({
  journal,
  after,
  through,
  batchSize,
  isOurs,
  isPaused,
  handle,
  save,
  onFailure,
  signal,
}: CatchUp): Promise<number | null> {
  const done = new AbortController();
  let position = after;
  let pages = 0;

  async function readPage(): Promise<'full' | 'idle'> {
    if (isPaused()) return 'idle';
    if (position >= through) {
      done.abort();
      return 'idle';
    }
    const page = await journal.read({ after: position, limit: batchSize });
    const events = page.filter(isOurs);
    if (events.length > 0) await handle(events);
    position = page.at(-1)?.position ?? through;
    pages += 1;
    if (pages % PAGES_PER_SAVE === 0) await save(position);
    return 'full';
  }

  await createLoop({ step: readPage, onFailure, pace: PACE }).run(AbortSignal.any([signal, done.signal]));
  return done.signal.aborted ? position : null;
}
