/** Runs one change at a time in a state folder, across processes. The operating system releases the lock when its holder ends in any way. */
import { setTimeout as pause } from 'node:timers/promises';
import { lockDataFolder } from '../../shared/engines/sqlite/threads/lock-data-folder.js';
import { ConfigurationError } from '../../shared/kernel/config/config.js';
import { LaunchError } from './launch-error.js';

const LOCK_TIMEOUT_MS = 10 * 60_000;
const POLL_MS = 100;

export async function withLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const lock = await takeLock(folder);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

async function takeLock(folder: string): Promise<{ release(): void }> {
  const end = performance.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    try {
      return lockDataFolder(folder);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      if (performance.now() > end)
        throw new LaunchError(
          `Another "npm run local" has held the lock of ${folder} for ${LOCK_TIMEOUT_MS / 60_000} minutes: wait for it, or stop it`,
          { cause: error },
        );
    }
    await pause(POLL_MS);
  }
}
