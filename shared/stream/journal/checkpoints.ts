/**
 * Where each group stands, durably. Checkpoints of all groups are written together and at most every `SAVE_INTERVAL_MS`, because
 * each write is an fsync that commits wait for; what a crash forgets is delivered again.
 */
import type { Logger } from '../../kernel/logger.js';
import { procedure, type SqliteHost } from '../../sqlite/host.js';

export const SAVE_INTERVAL_MS = 100;

export interface Checkpoints {
  load(group: string): Promise<number>;
  /** Everything up to this position has been handled; it becomes durable soon. */
  moved(group: string, position: number): void;
  durable(group: string): number;
  /** Resolves when all that was moved before is durable. */
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
  let saving: Promise<void> = Promise.resolve();

  function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    saving = saving.catch(() => undefined /* told to whoever asked for that flush */).then(save);
    return saving;
  }

  async function save(): Promise<void> {
    const positions = unsaved;
    if (positions.size === 0) return;
    unsaved = new Map();
    try {
      await host.write(saveCheckpoints, positions);
    } catch (error) {
      unsaved = new Map([...positions, ...unsaved]);
      throw error;
    }
    for (const [group, position] of positions) saved.set(group, position);
  }

  function saveLater(): void {
    timer ??= setTimeout(() => {
      flush().catch((error: unknown) => {
        logger.warn({ error }, 'checkpoints were not written and are kept for the next time');
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
    moved: (group, position) => {
      unsaved.set(group, position);
      saveLater();
    },
    durable: (group) => saved.get(group) ?? 0,
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
