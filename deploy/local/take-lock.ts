/** One change at a time in a state folder, whoever makes it. The lock is the system's, which lets go of it however its holder ends. */
import { setTimeout as pause } from 'node:timers/promises';
import { ConfigurationError } from '../../shared/kernel/config.js';
import { lockDataFolder } from '../../shared/sqlite/lock-data-folder.js';
import { LaunchError } from './launch-error.js';

const PATIENCE_MS = 10 * 60_000;
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
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return lockDataFolder(folder);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      if (performance.now() > end)
        throw new LaunchError(
          `Another "npm run local" has been busy in ${folder} for ${PATIENCE_MS / 60_000} minutes`,
          { cause: error },
        );
    }
    await pause(POLL_MS);
  }
}
