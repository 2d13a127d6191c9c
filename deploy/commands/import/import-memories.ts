/** Imports a file: a bounded number of windows is sent at the same time, and every line that is left out is reported. */
import type { Client } from '../../../shared/client/client.js';
import { type BadLine, planBatches } from './plan-batches.js';
import { readLines } from './read-lines.js';
import { sendBatch } from './send-batch.js';

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
  let isStopped = false;

  const report = (stored: number, bad: readonly BadLine[], bytes = 0): void => {
    bad.forEach(onBadLine);
    progress = {
      bytes: Math.max(progress.bytes, bytes),
      stored: progress.stored + stored,
      leftOut: progress.leftOut + bad.length,
    };
    onProgress(progress);
  };
  const sendWindows = async (): Promise<void> => {
    for (let next = await plans.next(); !next.done && !isStopped; next = await plans.next()) {
      const { batches, bad, endBytes } = next.value;
      report(0, bad);
      for (const batch of batches) {
        if (isStopped) return;
        const result = await sendBatch(batch, client);
        report(result.stored, result.bad);
      }
      report(0, [], endBytes);
    }
  };
  const worker = (): Promise<void> =>
    sendWindows().catch((error: unknown) => {
      isStopped = true;
      throw error;
    });

  const ended = await Promise.allSettled(Array.from({ length: concurrency }, worker));
  await plans.return(undefined);
  const failed = ended.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return progress;
}
