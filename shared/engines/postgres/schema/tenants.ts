import type { Migrations } from '../connection/postgres.js';

/** `revision` rises with each change of the list. `is_settled`: no work of the tenant waits for a process. */
export const tenantsMigrations: Migrations = {
  component: 'tenants',
  steps: [
    `CREATE TABLE tenants (
       number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
       id uuid NOT NULL UNIQUE,
       name text NOT NULL UNIQUE,
       state text NOT NULL,
       reason text,
       revision bigint NOT NULL,
       requests_per_minute bigint,
       writes_per_minute bigint,
       memories_limit bigint,
       bytes_limit bigint,
       memories bigint NOT NULL DEFAULT 0,
       bytes bigint NOT NULL DEFAULT 0,
       counted_at timestamptz,
       used_at timestamptz,
       is_settled boolean NOT NULL DEFAULT true,
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL
     );
     CREATE INDEX tenants_revision ON tenants (revision);`,
  ],
};
