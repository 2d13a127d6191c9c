/** Procedures for the checkpoints of consumer groups. */
import { procedure } from '../../sqlite/host.js';

/** 0 for a group that has never been: it starts from the very first event. */
export const loadCheckpoint = procedure(import.meta.url, 'loadCheckpoint', (database, group: string): number =>
  Number(database.get('SELECT position FROM stream_checkpoints WHERE consumer_group = ?', [group])?.['position'] ?? 0),
);

type Checkpoint = { readonly group: string; readonly position: number };

/** Never moves back. */
export const saveCheckpoint = procedure(import.meta.url, 'saveCheckpoint', (database, { group, position }: Checkpoint): void => {
  database.run(
    `INSERT INTO stream_checkpoints (consumer_group, position) VALUES (?, ?)
     ON CONFLICT (consumer_group) DO UPDATE SET position = max(position, excluded.position)`,
    [group, position],
  );
});
