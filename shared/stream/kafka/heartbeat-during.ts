/** Keeps a member in its group while it works longer than between two fetches. */

/**
 * What a heartbeat was refused with is thrown once the work is done, so that kafkajs joins the group anew: a refusal says that the
 * partitions are being dealt out again, and the work, with its commit, comes first.
 */
export async function heartbeatDuring<T>({
  heartbeat,
  everyMs,
  work,
}: {
  readonly heartbeat: () => Promise<void>;
  readonly everyMs: number;
  readonly work: () => Promise<T>;
}): Promise<T> {
  const refusals: unknown[] = [];
  const timer = setInterval(() => void heartbeat().catch((error: unknown) => refusals.push(error)), everyMs);
  try {
    const result = await work();
    if (refusals.length > 0) throw refusals[0];
    return result;
  } finally {
    clearInterval(timer);
  }
}
