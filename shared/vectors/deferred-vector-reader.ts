/**
 * Opens a vector index in the background and retries until it succeeds, for processes that can serve without the index. Until then every call
 * fails like a call of an index that is down, which callers handle anyway.
 */
import type { Pace } from '../kernel/concurrency/backoff.js';
import { createLoop } from '../kernel/concurrency/loop.js';
import { DependencyError, messageOf } from '../kernel/errors.js';
import type { Logger } from '../kernel/logger.js';
import type { VectorIndexReader } from './vectors.js';

export type DeferredVectorReader<Expected extends number | null = number> = Omit<VectorIndexReader, 'dimension'> & {
  /** The dimension of the open index; before that the expected dimension, which may be null. */
  readonly dimension: number | Expected;
  /** Resolves after the first attempt with its error, or null after a success. */
  readonly firstAttempt: Promise<unknown>;
  readonly close: () => Promise<void>;
};

const PACE: Pace = { idleMinimumMs: 0, idleMaximumMs: 0, failedMinimumMs: 500, failedMaximumMs: 10_000 };

export function createDeferredVectorReader<Expected extends number | null>({
  open,
  expectedDimension,
  logger,
}: {
  /** Retried even after ConfigurationError, because the process is serving and an operator may repair the index. */
  readonly open: () => Promise<VectorIndexReader>;
  readonly expectedDimension: Expected;
  readonly logger: Logger;
}): DeferredVectorReader<Expected> {
  const closing = new AbortController();
  const done = new AbortController();
  let reader: VectorIndexReader | null = null;
  let lastError = 'its first attempt is still running';

  const loop = createLoop({
    step: async () => {
      try {
        reader = await open();
        resolveFirstAttempt(null);
      } catch (error) {
        resolveFirstAttempt(error);
        lastError = messageOf(error);
        // A plain Error, because the retry delay of the original error is for callers, and this loop has a pace of its own.
        throw new Error(lastError, { cause: error });
      }
      done.abort();
      return 'idle';
    },
    onFailure: (_, waitMs) => logger.warn({ reason: lastError, waitMs }, 'opening the vector index failed'),
    pace: PACE,
  });
  let resolveFirstAttempt: (problem: unknown) => void = () => undefined;
  const firstAttempt = new Promise<unknown>((resolve) => {
    resolveFirstAttempt = resolve;
  });
  const running = loop.run(AbortSignal.any([closing.signal, done.signal]));

  function opened(): VectorIndexReader {
    if (reader) return reader;
    throw new DependencyError('vectors', `The vector index cannot be used yet: ${lastError}`);
  }

  return {
    get dimension() {
      return reader ? reader.dimension : expectedDimension;
    },
    firstAttempt,
    ping: async () => opened().ping(),
    search: async (request) => opened().search(request),
    versions: async (ids) => opened().versions(ids),
    count: async (request) => opened().count(request),
    points: async (ids) => opened().points(ids),
    scan: async (request) => opened().scan(request),
    close: async () => {
      closing.abort();
      await running;
    },
  };
}
