/** The table with the checkpoint of each consumer group of the journal stream. */
import type { Migrations } from '../threads/database.js';

export const streamMigrations: Migrations = {
  component: 'stream',
  steps: [
    'CREATE TABLE stream_checkpoints (consumer_group TEXT PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID;',
  ],
};
