import type { Migrations } from '../connection/postgres.js';

export const jobsMigrations: Migrations = {
  component: 'jobs',
  steps: [
    `CREATE TABLE jobs (
       number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
       id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
       kind text NOT NULL,
       request text NOT NULL,
       progress text NOT NULL DEFAULT '{}',
       checkpoint text,
       error text,
       requested_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       started_at timestamptz,
       finished_at timestamptz
     );
     -- One unfinished job at a time.
     CREATE UNIQUE INDEX jobs_unfinished ON jobs ((finished_at IS NULL)) WHERE finished_at IS NULL;`,
  ],
};
