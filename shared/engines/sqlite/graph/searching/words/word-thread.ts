/**
 * A reader thread of its own keeps the words of all memories. Keyword searches and listings by words run in it, each in
 * one snapshot of the database.
 */
import type { Procedure, SqliteHost } from '../../../threads/host.js';
import { loadWords } from './load-words.js';

export type WordThread = Pick<SqliteHost, 'read'> & {
  /**
   * Loads the words: 100,000 memories take 1.4 s of processor time and 75 MB, of which the postings are 38. A read that
   * comes earlier waits, because it loads the rest itself. Resolves when they are loaded, also after a failure; a
   * second call waits for the first.
   */
  readonly load: () => Promise<void>;
};

/** The thread starts with the first call. */
export function createWordThread({ host }: { readonly host: Pick<SqliteHost, 'openReader'> }): WordThread {
  let opening: Promise<Pick<SqliteHost, 'read'>> | null = null;
  let loading: Promise<void> | null = null;

  async function read<A, R>(called: Procedure<A, R>, args: A): Promise<R> {
    opening ??= host.openReader('words').catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return (await opening).read(called, args);
  }

  async function loadAll(): Promise<void> {
    while (await read(loadWords, null));
  }

  return {
    read,
    // The next read loads the words again and reports a failure to its caller.
    load: () => (loading ??= loadAll().catch(() => undefined)),
  };
}
