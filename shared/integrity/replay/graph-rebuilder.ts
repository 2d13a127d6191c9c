/**
 * Rebuilds the graph from the journal in the background as soon as it was found emptied or put back, in one process at
 * a time.
 */
import { withAnySignal } from '../../kernel/concurrency/abort-signals.js';
import { createLoop } from '../../kernel/concurrency/loop.js';
import type { Logger } from '../../kernel/logger.js';
import { isBehind, type MarkFinding } from '../journal-mark/mark-findings.js';
import { MARK_CHECK_MS } from '../journal-mark/watch-mark.js';
import type { ReplayResult } from './replay-graph.js';

/** Longer than the time between two comparisons, so that no rebuild starts on the finding before the last rebuild. */
const IDLE_MS = 2 * MARK_CHECK_MS;
const PACE = { idleMinimumMs: IDLE_MS, idleMaximumMs: IDLE_MS, failedMinimumMs: 1_000, failedMaximumMs: 30_000 };

export type GraphRebuilderDeps = {
  /** The last comparison of graph and journal. */
  readonly finding: () => MarkFinding;
  /** Null while another process rebuilds. */
  readonly hold: () => Promise<{ readonly lost: AbortSignal; release(): Promise<void> } | null>;
  readonly replay: (signal: AbortSignal) => Promise<ReplayResult>;
  readonly logger: Logger;
};

/** `close` stops a running rebuild after its batch. The next process starts it again. */
export function startGraphRebuilder({ finding, hold, replay, logger }: GraphRebuilderDeps): {
  readonly close: () => Promise<void>;
} {
  const closing = new AbortController();

  async function rebuild(signal: AbortSignal): Promise<void> {
    const held = await hold();
    if (held === null) return;
    try {
      logger.info({ finding: finding().kind }, 'rebuild of the graph started');
      const { found, progress } = await withAnySignal([signal, held.lost], replay);
      logger.info({ found, ...progress }, 'rebuild of the graph finished');
    } finally {
      await held.release();
    }
  }

  const running = createLoop({
    pace: PACE,
    onFailure: (err, waitMs) => {
      if (!closing.signal.aborted) logger.error({ err, waitMs }, 'rebuild of the graph failed; it starts again');
    },
    step: async (signal) => {
      if (isBehind(finding())) await rebuild(signal);
      return 'idle';
    },
  }).run(closing.signal);

  return {
    close: async () => {
      closing.abort();
      await running;
    },
  };
}
