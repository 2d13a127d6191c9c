/**
 * The encoder that comes with the service: Universal Sentence Encoder lite, 512 dimensions, offline, in threads of its own. It reads
 * English; a text in a script that it has no word pieces for gets the vector of "unknown".
 */
import { silentLogger, type Logger } from '../../kernel/logger.js';
import type { Embedder } from '../embedder.js';
import { createEncoderPool } from './create-encoder-pool.js';
import { meanVector, windowsOf } from './windows.js';

export const BUNDLED_DIMENSION = 512;
/** The last part names the way of cutting: another way of cutting makes other vectors, so it needs another name. */
export const BUNDLED_MODEL = 'bundled/use-lite-en/512/w1';
/** Texts put in line at a time, so that one long call leaves room in the line for others. */
const SLICE_TEXTS = 128;

/** Resolves at once: the model loads in the background (0.3 s) and the first call waits for it. */
export async function createBundledEmbedder({
  workers = 1,
  logger = silentLogger,
  isBackground = false,
  thread = ENCODER_THREAD,
}: {
  readonly workers?: number;
  readonly logger?: Logger;
  /** Its threads give way to other work on the machine. */
  readonly isBackground?: boolean | undefined;
  /** The module of the thread; another one only to see how its failures are met. */
  readonly thread?: URL;
} = {}): Promise<Embedder> {
  const pool = createEncoderPool({ workers, logger, isBackground, thread });
  return {
    model: BUNDLED_MODEL,
    dimension: BUNDLED_DIMENSION,
    embed: async (texts, options) => {
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += SLICE_TEXTS) {
        const windows = texts.slice(start, start + SLICE_TEXTS).map(windowsOf);
        const encoded = await pool.encode(windows.flat(), options);
        let from = 0;
        for (const { length } of windows) vectors.push(meanVector(encoded.slice(from, (from += length))));
      }
      return vectors;
    },
    close: () => pool.close(),
  };
}

const ENCODER_THREAD = new URL('./encoder-thread.js', import.meta.url);
