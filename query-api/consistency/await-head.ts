/**
 * The position of the journal that a recall without `consistent_with` waits for: the one at its arrival, so that it
 * shows every write that was acknowledged before. While nothing is pending, this costs a comparison of two numbers in
 * this process, or one small query that runs while the text of the recall is embedded.
 */
import { raceDeadline } from '../../shared/kernel/concurrency/within-deadline.js';
import { DependencyError } from '../../shared/kernel/errors.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { JournalReader } from '../../shared/ports/journal.js';
import type { AwaitPosition, Consistency } from './await-position.js';
import type { LocalIndexer } from './progress.js';

/** Null when the index had the position without a wait, or the position is unknown. */
export type AwaitHead = (signal: AbortSignal) => Promise<(Consistency & { readonly position: number }) | null>;

/** A journal that is slower is not asked again for a second: recalls do not depend on it. */
const HEAD_LIMIT_MS = 250;
const HEAD_PAUSE_MS = 1_000;

type Dependencies = {
  readonly journal: Pick<JournalReader, 'head'>;
  readonly localIndexer?: LocalIndexer;
  readonly awaitPosition: AwaitPosition;
  /** 0: recalls do not wait. */
  readonly waitMs: number;
  readonly logger: Logger;
};

export function createAwaitHead({ journal, localIndexer, awaitPosition, waitMs, logger }: Dependencies): AwaitHead {
  const readHead = localIndexer?.head ?? shareNext(() => journal.head());
  /** The index was found complete up to here. */
  let complete = 0;
  let askAgainAt = 0;

  async function headOrNull(): Promise<number | null> {
    if (performance.now() < askAgainAt) return null;
    try {
      return await raceDeadline(readHead(), { milliseconds: HEAD_LIMIT_MS, onDeadline: throwSlow });
    } catch (error) {
      if (!(error instanceof DependencyError)) throw error;
      askAgainAt = performance.now() + HEAD_PAUSE_MS;
      logger.warn({ err: error }, 'head of the journal unknown, recalls do not wait for the latest writes');
      return null;
    }
  }

  return async (signal) => {
    if (waitMs === 0) return null;
    const position = await headOrNull();
    if (position === null) return null;
    if (position < complete) complete = 0; // the journal was restored to an earlier state, so its positions return with other events
    if (position <= Math.max(complete, localIndexer?.position() ?? 0)) return null;
    const shown = await awaitPosition({ position, reads: 'index', signal, waitMs });
    if (shown.index) complete = position;
    return shown.index && !shown.hasWaited ? null : { ...shown, position };
  };
}

function throwSlow(): never {
  throw new DependencyError(
    'journal',
    `The journal did not answer within ${HEAD_LIMIT_MS} ms: see journal in GET /health`,
  );
}

/**
 * Calls that come during a query share the next one, so each gets the result of a query that started after its call.
 */
function shareNext<T>(query: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  let next: Promise<T> | null = null;

  function start(): Promise<T> {
    next = null;
    const started = query().finally(() => {
      if (running === started) running = null;
    });
    running = started;
    return started;
  }

  return () => {
    if (running === null) return start();
    next ??= running.then(start, start);
    return next;
  };
}
