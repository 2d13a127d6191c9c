import type { Migrations } from '../threads/database.js';

export const consolidationMigrations: Migrations = {
  component: 'consolidation',
  steps: [
    `CREATE TABLE consolidation_tasks (task TEXT PRIMARY KEY, last_run TEXT NOT NULL) WITHOUT ROWID;
     CREATE TABLE consolidation_runs (
       number INTEGER PRIMARY KEY AUTOINCREMENT,
       id TEXT NOT NULL UNIQUE,
       mode TEXT NOT NULL,
       tasks TEXT NOT NULL,
       success INTEGER NOT NULL,
       started_at TEXT NOT NULL,
       completed_at TEXT NOT NULL,
       result TEXT NOT NULL
     );`,
  ],
};
