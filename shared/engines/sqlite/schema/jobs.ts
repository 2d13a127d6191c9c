import type { Migrations } from '../threads/database.js';

export const jobsMigrations: Migrations = {
  component: 'jobs',
  steps: [
    `CREATE TABLE jobs (
       number INTEGER PRIMARY KEY AUTOINCREMENT,
       id TEXT NOT NULL UNIQUE,
       kind TEXT NOT NULL,
       request TEXT NOT NULL,
       progress TEXT NOT NULL DEFAULT '{}',
       checkpoint TEXT,
       error TEXT,
       requested_at TEXT NOT NULL,
       started_at TEXT,
       finished_at TEXT
     );
     -- One unfinished job at a time.
     CREATE UNIQUE INDEX jobs_unfinished ON jobs (finished_at IS NULL) WHERE finished_at IS NULL;`,
  ],
};
