import type { Migrations } from '../connection/postgres.js';

/** Times are texts, as the contract spells them: they sort like the times. */
export const consolidationMigrations: Migrations = {
  component: 'consolidation',
  steps: [
    `CREATE TABLE consolidation_tasks (task text PRIMARY KEY, last_run text NOT NULL);
     CREATE TABLE consolidation_runs (
       number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
       id uuid NOT NULL UNIQUE,
       mode text NOT NULL,
       tasks text NOT NULL,
       success boolean NOT NULL,
       started_at text NOT NULL,
       completed_at text NOT NULL,
       result text NOT NULL
     );`,
  ],
};
