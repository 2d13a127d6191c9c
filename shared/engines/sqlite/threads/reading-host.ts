/** Opens a database file for reading alone, also while another process writes it. */
import { DependencyError } from '../../../kernel/errors.js';
import type { SqliteHost } from './host.js';
import { openThread } from './thread.js';

/** Writes are rejected with DependencyError('journal'). */
export async function openReadingHost(file: string): Promise<SqliteHost> {
  const thread = await openThread({ role: 'reader', file }, { onThreadEnd: () => undefined, waitLimitMs: Infinity });
  const reject = (): Promise<never> =>
    Promise.reject(new DependencyError('journal', 'The database file is open for reading alone'));
  const host: SqliteHost = {
    read: (called, args) => thread.call(called, args),
    write: reject,
    writeDerived: reject,
    writable: reject,
    openReader: () => Promise.resolve(host),
    close: () => thread.close(),
  };
  return host;
}
