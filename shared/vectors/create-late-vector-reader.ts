/**
 * A vector index that may not be there yet: whoever can do without opens it in the background and goes on trying. Until then every call
 * fails as for an index that is down, which callers know how to go without.
 */
import type { Pace } from '../kernel/backoff.js';
import { DependencyError } from '../kernel/errors.js';
import type { Logger } from '../kernel/logger.js';
import { createLoop } from '../kernel/loop.js';
import type { VectorIndexReader } from './vectors.js';

export type LateVectorReader<Expected extends number | null = number> = Omit<VectorIndexReader, 'dimension'> & {
  /** Of the index once it is open; before, what is expected of it, which may be nothing. */
  readonly dimension: number | Expected;
  /** Resolves when it was tried once: with what went wrong, or null. */
  readonly tried: Promise<unknown>;
  readonly close: () => Promise<void>;
};

const PACE: Pace = { idleMinimumMs: 0, idleMaximumMs: 0, failedMinimumMs: 500, failedMaximumMs: 10_000 };

export function createLateVectorReader<Expected extends number | null>({
  open,
  expectedDimension,
  logger,
}: {
  /** Also tried again when it throws ConfigurationError: the process serves, and somebody may mend the index. */
  readonly open: () => Promise<VectorIndexReader>;
  readonly expectedDimension: Expected;
  readonly logger: Logger;
}): LateVectorReader<Expected> {
  const closing = new AbortController();
  const done = new AbortController();
  let reader: VectorIndexReader | null = null;
  let latest = 'it was not tried yet';

  const loop = createLoop({
    step: async () => {
      try {
        reader = await open();
        beTried(null);
      } catch (error) {
        beTried(error);
        latest = error instanceof Error ? error.message : String(error);
        throw new Error(latest, { cause: error }); // not itself: what it asks callers to wait is not our pace
      }
      done.abort();
      return 'idle';
    },
    onFailure: (_, waitMs) =>
      logger.warn(
        { waitMs },
        `The vector index cannot be used yet: ${latest}; next try in ${(waitMs / 1_000).toFixed(1)} s`,
      ),
    pace: PACE,
  });
  let beTried: (problem: unknown) => void = () => undefined;
  const tried = new Promise<unknown>((resolve) => {
    beTried = resolve;
  });
  const running = loop.run(AbortSignal.any([closing.signal, done.signal]));

  function opened(): VectorIndexReader {
    if (reader) return reader;
    throw new DependencyError('vectors', `The vector index cannot be used yet: ${latest}`);
  }

  return {
    get dimension() {
      return reader ? reader.dimension : expectedDimension;
    },
    tried,
    ping: async () => opened().ping(),
    search: async (request) => opened().search(request),
    versions: async (ids) => opened().versions(ids),
    count: async (request) => opened().count(request),
    close: async () => {
      closing.abort();
      await running;
    },
  };
}
