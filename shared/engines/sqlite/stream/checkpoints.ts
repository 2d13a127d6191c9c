/**
 * The saved checkpoint of each group. The checkpoints of all groups are written together, at most every
 * `SAVE_INTERVAL_MS`, because commits wait for each write. After a crash, events behind the last saved checkpoint are
 * delivered again.
 */
import { createSerialQueue } from '../../../kernel/concurrency/serial-queue.js';
import type { Logger } from '../../../kernel/logger.js';
import { procedure, type SqliteHost } from '../threads/host.js';

export const SAVE_INTERVAL_MS = 100;

export interface Checkpoints {
  load(group: string): Promise<number>;
  /** Everything up to this position is handled; the checkpoint is saved soon. */
  advance(group: string, position: number): void;
  savedPosition(group: string): number;
  /** Resolves when every checkpoint that advanced before the call is saved. */
  flush(): Promise<void>;
}

export function createCheckpoints({
  host,
  logger,
}: {
  readonly host: SqliteHost;
  readonly logger: Logger;
}): Checkpoints {
  const saved = new Map<string, number>();
  let unsaved = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  const enqueue = createSerialQueue();

  function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    return enqueue(save);
  }

  async function save(): Promise<void> {
    const positions = unsaved;
    if (positions.size === 0) return;
    unsaved = new Map();
    try {
      await host.writeDerived(saveCheckpoints, positions);
    } catch (error) {
      unsaved = new Map([...positions, ...unsaved]);
      throw error;
    }
    for (const [group, position] of positions) saved.set(group, position);
  }

  function saveLater(): void {
    timer ??= setTimeout(() => {
      flush().catch((err: unknown) => {
        logger.warn({ err }, 'checkpoint write failed and is retried');
        saveLater();
      });
    }, SAVE_INTERVAL_MS);
  }

  return {
    load: async (group) => {
      const position = await host.read(readCheckpoint, group);
      saved.set(group, position);
      return position;
    },
    advance: (group, position) => {
      unsaved.set(group, position);
      saveLater();
    },
    savedPosition: (group) => saved.get(group) ?? 0,
    flush,
  };
}

export const readCheckpoint = procedure(import.meta.url, 'readCheckpoint', (database, group: string): number =>
  Number(database.get('SELECT position FROM stream_checkpoints WHERE consumer_group = ?', [group])?.['position'] ?? 0),
);

export const saveCheckpoints = procedure(
  import.meta.url,
  'saveCheckpoints',
  (database, positions: ReadonlyMap<string, number>): void => {
    for (const [group, position] of positions) {
      database.run(
        `INSERT INTO stream_checkpoints (consumer_group, position) VALUES (?, ?)
       ON CONFLICT (consumer_group) DO UPDATE SET position = MAX(position, excluded.position)`,
        [group, position],
      );
    }
  },
);
