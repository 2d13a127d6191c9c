/**
 * The folders of the launcher: `cache` may be deleted at any time, `reset` deletes `data`, and `run` records the
 * running programs.
 */
import { join } from 'node:path';

export type Folders = {
  readonly root: string;
  readonly cache: string;
  readonly data: (name: string) => string;
  /** Log, record and generated configuration of one program. */
  readonly run: (name: string) => string;
  readonly log: (name: string) => string;
};

export function foldersIn(root: string): Folders {
  return {
    root,
    cache: join(root, 'cache'),
    data: (name) => join(root, 'data', name),
    run: (name) => join(root, 'run', name),
    log: (name) => join(root, 'run', name, 'log'),
  };
}
