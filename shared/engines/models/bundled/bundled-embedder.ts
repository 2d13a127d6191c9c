/**
 * The embedder that is bundled with the service: Universal Sentence Encoder lite, 512 dimensions, offline, in threads of its own. It is
 * made for English: a text in a script without word pieces gets the vector of "unknown".
 */
import { type Logger, silentLogger } from '../../../kernel/logger.js';
import type { Metrics } from '../../../kernel/metrics/metrics.js';
import { withChildSpan } from '../../../kernel/tracing/tracing.js';
import type { Embedder } from '../../../ports/embedder.js';
import { createEncoderPool } from './encoder-pool.js';
import { meanVector, windowsOf } from './windows.js';

export const BUNDLED_DIMENSION = 512;
/** The last part names the way in which texts are cut into windows: another way gives other vectors and needs another name. */
export const BUNDLED_MODEL = 'bundled/use-lite-en/512/w1';
/** Texts that one call queues at a time, so that a long call leaves room in the queue for other calls. */
const SLICE_TEXTS = 128;

/** Resolves immediately: the model loads in the background (0.3 s) and the first call waits for it. */
export async function createBundledEmbedder({
  workers = 1,
  logger = silentLogger,
  isBackground = false,
  thread = ENCODER_THREAD,
  metrics,
}: {
  readonly workers?: number;
  readonly logger?: Logger;
  /** Runs the threads with a lower priority. */
  readonly isBackground?: boolean | undefined;
  readonly metrics?: Pick<Metrics, 'report'> | undefined;
  /** The module of the thread; tests pass a failing one. */
  readonly thread?: URL;
} = {}): Promise<Embedder> {
  const pool = createEncoderPool({ workers, logger, isBackground, thread, metrics });
  return {
    model: BUNDLED_MODEL,
    dimension: BUNDLED_DIMENSION,
    embed: async (texts, { purpose, isUrgent = false, signal }) => {
      const options = {
        purpose: purpose === 'document' && isUrgent ? 'single' : purpose,
        ...(signal && { signal }),
      } as const;
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += SLICE_TEXTS) {
        const windows = texts.slice(start, start + SLICE_TEXTS).map(windowsOf);
        const attributes = { 'palimpsest.provider': 'bundled', 'palimpsest.texts': windows.length };
        const encoded = await withChildSpan('embed', { attributes }, () => pool.encode(windows.flat(), options));
        let from = 0;
        for (const { length } of windows) vectors.push(meanVector(encoded.slice(from, (from += length))));
      }
      return vectors;
    },
    close: () => pool.close(),
  };
}

const ENCODER_THREAD = new URL('./encoder-thread.js', import.meta.url);
