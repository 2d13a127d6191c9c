/**
 * Imports a file: a bounded number of windows is sent at the same time, and every line that is left out is reported.
 */
import type { Client } from '../../../shared/client/client.js';
import { type BadLine, planBatches } from './plan-batches.js';
import { readLines } from './read-lines.js';
import { sendBatch } from './send-batch.js';
import { sendConcurrently } from './send-concurrently.js';

export type ImportOptions = {
  readonly file: string;
  readonly client: Client;
  /** Lines in one window, which is also the limit of one request. */
  readonly batchSize: number;
  /** Windows that are sent at the same time. */
  readonly concurrency: number;
  readonly onProgress: (progress: ImportProgress) => void;
  readonly onBadLine: (line: BadLine) => void;
};

export type ImportProgress = { readonly bytes: number; readonly stored: number; readonly leftOut: number };

/** Throws ImportStopped when the service stops answering; a second call with the same options continues the import. */
export async function importMemories(options: ImportOptions): Promise<ImportProgress> {
  const { file, client, batchSize, concurrency, onProgress, onBadLine } = options;
  const plans = planBatches(readLines(file), batchSize);
  let progress: ImportProgress = { bytes: 0, stored: 0, leftOut: 0 };

  const report = (stored: number, bad: readonly BadLine[], bytes = 0): void => {
    bad.forEach(onBadLine);
    progress = {
      bytes: Math.max(progress.bytes, bytes),
      stored: progress.stored + stored,
      leftOut: progress.leftOut + bad.length,
    };
    onProgress(progress);
  };
  await sendConcurrently(plans, concurrency, async ({ batches, bad, endBytes }, isStopped) => {
    report(0, bad);
    for (const batch of batches) {
      if (isStopped()) return;
      const result = await sendBatch(batch, client);
      report(result.stored, result.bad);
    }
    report(0, [], endBytes);
  });
  return progress;
}
