/**
 * The modes of what holds memories: data, backups, exports. Only the user of the process may read it, whatever the
 * umask is. An existing file or folder keeps its mode, and Windows has no modes.
 */
import { closeSync, existsSync, openSync } from 'node:fs';

export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

/** Creates an empty file where there is none. */
export function createPrivateFile(file: string): void {
  // An existing file is not opened: a close would release the locks that this process holds on it.
  if (!existsSync(file)) closeSync(openSync(file, 'a', PRIVATE_FILE));
}
