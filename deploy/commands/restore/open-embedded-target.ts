/** Opens the empty data folder of a stopped embedded service for a restore. */
import { openSqlite } from '../../../shared/engines/sqlite/open.js';
import type { Resources } from '../../../shared/kernel/concurrency/resources.js';
import type { Logger } from '../../../shared/kernel/logger.js';
import type { RestoreTarget } from './restore-archive.js';

export async function openEmbeddedTarget(options: {
  readonly dataFolder: string;
  readonly logger: Logger;
  readonly resources: Resources;
}): Promise<RestoreTarget> {
  const sqlite = await openSqlite(options);
  const { apply } = sqlite.graphWriter;
  return {
    ...sqlite,
    graph: { ...sqlite.graphMark, apply, prepare: () => Promise.resolve() /* the migrations are done */ },
    index: sqlite.indexMark,
  };
}
