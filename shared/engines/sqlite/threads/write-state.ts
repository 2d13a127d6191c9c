/**
 * Remembers whether writes fail (full disk, ended thread), and finds out with a write of its own when they work again.
 */
import { DependencyError } from '../../../kernel/errors.js';
import type { Migrations } from './database.js';
import { procedure, type SqliteHost } from './host.js';

/** Smaller writes succeed where a memory does not fit any more, so only the probe ends the state. */
const PROBE_BYTES = 256 * 1024;

export const probeMigrations: Migrations = {
  component: 'write_probe',
  steps: ['CREATE TABLE write_probe (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), bytes BLOB NOT NULL)'],
};

export type WriteState = {
  /** Returns the result of a write. */
  readonly watch: <R>(write: Promise<R>) => Promise<R>;
  readonly failed: (error: unknown) => void;
  /** As SqliteHost. */
  readonly writable: () => Promise<void>;
};

export function createWriteState(write: SqliteHost['write']): WriteState {
  let isFailing = false;
  let probe: Promise<void> | null = null;

  async function watch<R>(work: Promise<R>): Promise<R> {
    try {
      return await work;
    } catch (error) {
      failed(error);
      throw error;
    }
  }

  function failed(error: unknown): void {
    if (error instanceof DependencyError && error.dependency === 'journal') isFailing = true;
  }

  return {
    watch,
    failed,
    writable: async () => {
      if (!isFailing) return;
      probe ??= write(probeWrite, PROBE_BYTES).finally(() => {
        probe = null;
      });
      await probe;
      isFailing = false;
    },
  };
}

export const probeWrite = procedure(import.meta.url, 'probeWrite', (database, bytes: number): void => {
  database.run('INSERT OR REPLACE INTO write_probe (only_row, bytes) VALUES (1, zeroblob(?))', [bytes]);
});
