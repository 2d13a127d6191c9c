/**
 * The embedder that is bundled with the service: e5-small-v2, 384 dimensions, offline, in processes of its own. It
 * is made for English: a word in a script without word pieces counts as unknown.
 */
import { NEVER_GIVES_WAY } from '../../../kernel/concurrency/give-way.js';
import { type Logger, silentLogger } from '../../../kernel/logger.js';
import type { Metrics } from '../../../kernel/metrics/metrics.js';
import { withChildSpan } from '../../../kernel/tracing/tracing.js';
import type { Embedder } from '../../../ports/embedder.js';
import { createEncoderPool } from './encoder-pool.js';

export const BUNDLED_DIMENSION = 384;
/**
 * The last part names the way in which texts are cut into windows: another way gives other vectors and needs another
 * name.
 */
export const BUNDLED_MODEL = 'bundled/e5-small-v2-q/384/w1';
/** Texts that one call queues at a time, so that a long call leaves room in the queue for other calls. */
const SLICE_TEXTS = 128;

/** Resolves immediately: the model loads in the background (0.5 s) and the first call waits for it. */
export async function createBundledEmbedder({
  workers = 1,
  logger = silentLogger,
  isBackground = false,
  main = ENCODER_PROCESS,
  answerLimitMs,
  metrics,
}: {
  readonly workers?: number;
  readonly logger?: Logger;
  /** Runs the processes with a lower priority. */
  readonly isBackground?: boolean | undefined;
  readonly metrics?: Pick<Metrics, 'report'> | undefined;
  /** The module of a process; tests pass a failing one. */
  readonly main?: URL;
  /** How long a process may take for its first answer, before it is replaced. */
  readonly answerLimitMs?: number;
} = {}): Promise<Embedder> {
  const pool = createEncoderPool({ workers, logger, isBackground, main, answerLimitMs, metrics });
  return {
    model: BUNDLED_MODEL,
    dimension: BUNDLED_DIMENSION,
    embed: async (texts, { purpose, isUrgent = false, giveWay = NEVER_GIVES_WAY, signal }) => {
      const options = {
        purpose: purpose === 'document' && isUrgent ? 'single' : purpose,
        ...(signal && { signal }),
      } as const;
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start = vectors.length) {
        await giveWay.turn(signal);
        const size = giveWay.isNeeded() ? 1 : SLICE_TEXTS;
        const windows = texts.slice(start, start + size).map(windowsOf);
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

const ENCODER_PROCESS = new URL('./encoder-process.js', import.meta.url);

/** About 230 word pieces of English. The model reads 512, but the time of a window grows faster than its length. */
export const WINDOW_CHARACTERS = 1_000;
/** The text after the fourth window is ignored: each further window would take 0.06 s and blur the mean. */
export const WINDOW_LIMIT = 4;
/** A cut moves back by at most this many characters, to the end of a word. */
const CUT_SLACK_CHARACTERS = 60;

/**
 * Bounds what the encoder reads of a text: the text is cut into windows of about equal length, and the mean of their
 * vectors represents the text. A text says at its beginning what it is about; the keyword index has every word. One to
 * `WINDOW_LIMIT` windows, none empty.
 */
export function windowsOf(text: string): readonly string[] {
  const bounded = text.trim().slice(0, WINDOW_CHARACTERS * WINDOW_LIMIT);
  if (bounded === '') return [' '];
  const count = Math.ceil(bounded.length / WINDOW_CHARACTERS);
  const windows: string[] = [];
  let start = 0;
  for (let left = count; left > 0 && start < bounded.length; left -= 1) {
    const end = left === 1 ? bounded.length : cutBefore(bounded, start + Math.ceil((bounded.length - start) / left));
    windows.push(bounded.slice(start, end).trim() || ' ');
    start = end;
  }
  return windows;
}

function cutBefore(text: string, end: number): number {
  const space = text.lastIndexOf(' ', end);
  return space > end - CUT_SLACK_CHARACTERS ? space : end;
}

/** The mean of the vectors of the windows, at unit length. */
export function meanVector(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float64Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) vector.forEach((component, index) => (sum[index] = (sum[index] ?? 0) + component));
  const norm = Math.hypot(...sum);
  return Float32Array.from(sum, (component) => component / norm);
}
