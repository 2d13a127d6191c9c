/**
 * Follows the active vector space: opens its index, and after a switch the one of the next space. Calls that began
 * before the switch end in the old index, which stays open for a while. A process can serve without the index, so
 * opening is tried again until it succeeds.
 */
import type { Pace } from '../kernel/concurrency/backoff.js';
import { createLoop } from '../kernel/concurrency/loop.js';
import { DependencyError, messageOf } from '../kernel/errors.js';
import type { Logger } from '../kernel/logger.js';
import { FOLLOWER_LIVE_MS, type VectorSpace, type VectorSpaces } from '../ports/vector-spaces.js';

/** How soon a process notices a switch. */
const POLL_MS = 1_000;
const PACE: Pace = { idleMinimumMs: POLL_MS, idleMaximumMs: POLL_MS, failedMinimumMs: 500, failedMaximumMs: 10_000 };
/** How long the index before a switch stays open: longer than any call takes. */
const CLOSE_AFTER_MS = 30_000;
const REPORT_MS = FOLLOWER_LIVE_MS / 5;

export type Opened<T> = { readonly space: VectorSpace; readonly index: T };

export type SpaceFollower<T> = {
  /** The index of the active space; null before the first one is open. */
  readonly current: () => Opened<T> | null;
  /** The current index. Throws DependencyError('vectors') before the first one is open. */
  readonly opened: () => Opened<T>;
  /**
   * The newest open index with vectors of this model; the current one without a model. Throws as `opened`, and for a
   * model whose index was closed after a switch.
   */
  readonly ofModel: (model: string | undefined) => Opened<T>;
  /** Resolves after the first attempt with its error, or null after a success. */
  readonly firstAttempt: Promise<unknown>;
  readonly close: () => Promise<void>;
};

export function followSpaces<T>({
  spaces,
  instance,
  open,
  close,
  logger,
  pace = PACE,
  closeAfterMs = CLOSE_AFTER_MS,
}: {
  readonly spaces: Pick<VectorSpaces, 'active' | 'report'>;
  readonly instance: string;
  /** Tried again even after ConfigurationError, because the process is serving and an operator may repair the index. */
  readonly open: (space: VectorSpace) => Promise<T>;
  readonly close: (index: T) => Promise<void>;
  readonly logger: Logger;
  readonly pace?: Pace;
  readonly closeAfterMs?: number;
}): SpaceFollower<T> {
  const closing = new AbortController();
  /** The newest first; the others are closed after a while. */
  let openIndexes: readonly Opened<T>[] = [];
  const closedModels = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  let lastError = 'its first attempt is still running';
  let reportedAt = -Infinity;

  async function follow(): Promise<void> {
    const active = await spaces.active();
    if (active === null)
      throw new DependencyError('vectors', 'there is no vector index yet: start the projectors, which make it');
    const [current] = openIndexes;
    if (current?.space.number !== active.number) await switchTo(active);
    if (performance.now() - reportedAt < REPORT_MS) return;
    await spaces.report(instance, active.number);
    reportedAt = performance.now();
  }

  async function switchTo(space: VectorSpace): Promise<void> {
    const known = openIndexes.find((one) => one.space.number === space.number);
    const next = { space, index: known?.index ?? (await open(space)) };
    const [former] = openIndexes;
    openIndexes = [next, ...openIndexes.filter((one) => one !== known)];
    reportedAt = -Infinity;
    if (former === undefined) return;
    logger.info({ space: space.number, model: space.model }, 'vector index switched');
    const timer = setTimeout(() => {
      timers.delete(timer);
      void closeOne(former);
    }, closeAfterMs);
    timers.add(timer);
  }

  async function closeOne(former: Opened<T>): Promise<void> {
    // A rollback made it the current one again.
    if (!openIndexes.includes(former) || openIndexes[0] === former) return;
    closedModels.add(former.space.model);
    openIndexes = openIndexes.filter((one) => one !== former);
    await close(former.index).catch((err: unknown) =>
      logger.warn({ err, space: former.space.number }, 'closing a former vector index failed'),
    );
  }

  const loop = createLoop({
    step: async () => {
      try {
        await follow();
        resolveFirst(null);
      } catch (error) {
        resolveFirst(error);
        lastError = messageOf(error);
        // A plain Error, because the retry delay of the original error is for callers, and this loop has a pace of its
        // own.
        throw new Error(lastError, { cause: error });
      }
      return 'idle';
    },
    onFailure: (_, waitMs) => logger.warn({ reason: lastError, waitMs }, 'following the vector index failed'),
    pace,
  });
  let resolveFirst: (problem: unknown) => void = () => undefined;
  const firstAttempt = new Promise<unknown>((resolve) => (resolveFirst = resolve));
  const running = loop.run(closing.signal);

  function opened(): Opened<T> {
    const [current] = openIndexes;
    if (current) return current;
    throw new DependencyError('vectors', `The vector index cannot be used yet: ${lastError}`);
  }

  /** Work of a closed model that went to the current index would mix two models there. */
  function currentUnlessClosed(model: string | undefined): Opened<T> {
    if (model === undefined || !closedModels.has(model)) return opened();
    throw new DependencyError('vectors', `The vector index of ${model} was exchanged: begin again`);
  }

  return {
    current: () => openIndexes[0] ?? null,
    opened,
    ofModel: (model) => openIndexes.find(({ space }) => space.model === model) ?? currentUnlessClosed(model),
    firstAttempt,
    close: async () => {
      closing.abort();
      await running;
      for (const timer of timers) clearTimeout(timer);
      for (const { index } of new Set(openIndexes)) await close(index);
    },
  };
}
