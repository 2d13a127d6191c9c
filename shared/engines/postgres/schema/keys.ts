import type { Migrations } from '../connection/postgres.js';

export const keysMigrations: Migrations = {
  component: 'keys',
  steps: [
    `CREATE TABLE api_keys (
       number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
       id uuid NOT NULL UNIQUE,
       name text NOT NULL UNIQUE,
       -- JSON.
       scopes text NOT NULL,
       -- SHA-256 of the key, in hex digits.
       hash text NOT NULL UNIQUE,
       previous_hash text,
       previous_until timestamptz,
       expires_at timestamptz,
       last_used_at timestamptz,
       uses bigint NOT NULL DEFAULT 0,
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL
     );
     CREATE INDEX api_keys_previous_hash ON api_keys (previous_hash) WHERE previous_hash IS NOT NULL;`,
    'ALTER TABLE api_keys ADD COLUMN tag text',
    `ALTER TABLE api_keys
       ADD COLUMN requests_per_minute integer,
       ADD COLUMN window_started_at timestamptz,
       ADD COLUMN window_requests bigint NOT NULL DEFAULT 0;`,
  ],
};
