/**
 * Sends each batch, at most `concurrency` at the same time. After a failure no further batch begins; the failure is
 * thrown when the running sends have ended.
 */
export async function sendConcurrently<T>(
  batches: AsyncGenerator<T>,
  concurrency: number,
  send: (batch: T, isStopped: () => boolean) => Promise<void>,
): Promise<void> {
  let isStopped = false;
  const worker = async (): Promise<void> => {
    try {
      for (let next = await batches.next(); !next.done && !isStopped; next = await batches.next())
        await send(next.value, () => isStopped);
    } catch (error) {
      isStopped = true;
      throw error;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: concurrency }, worker));
  await batches.return(undefined);
  const failed = ended.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
