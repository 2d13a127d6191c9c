/** The import itself: windows of the file are sent side by side, in bounded number, and what was left out is reported by line. */
import type { Client } from '../../shared/client/client.js';
import { planShipments, type BadLine } from './plan-shipments.js';
import { readLines } from './read-lines.js';
import { ship } from './ship.js';

export type ImportOptions = {
  readonly file: string;
  readonly client: Client;
  /** Lines in one window, and so at most in one request. */
  readonly batchSize: number;
  /** Windows under way at the same time. */
  readonly concurrency: number;
  readonly onProgress: (progress: ImportProgress) => void;
  readonly onBadLine: (line: BadLine) => void;
};

export type ImportProgress = { readonly bytes: number; readonly stored: number; readonly leftOut: number };

/** Throws ImportStopped when the service is gone; the same call again goes on where it stopped. */
export async function importMemories(options: ImportOptions): Promise<ImportProgress> {
  const { file, client, batchSize, concurrency, onProgress, onBadLine } = options;
  const plans = planShipments(readLines(file), batchSize);
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
  const work = async (): Promise<void> => {
    for (let next = await plans.next(); !next.done && !isStopped; next = await plans.next()) {
      const { shipments, bad, endBytes } = next.value;
      report(0, bad);
      for (const shipment of shipments) {
        if (isStopped) return;
        const shipped = await ship(shipment, client);
        report(shipped.stored, shipped.bad);
      }
      report(0, [], endBytes);
    }
  };
  const guarded = (): Promise<void> =>
    work().catch((error: unknown) => {
      isStopped = true;
      throw error;
    });

  const ended = await Promise.allSettled(Array.from({ length: concurrency }, guarded));
  await plans.return(undefined);
  const failed = ended.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return progress;
}
