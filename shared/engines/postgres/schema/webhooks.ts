import type { Migrations } from '../connection/postgres.js';

export const webhooksMigrations: Migrations = {
  component: 'webhooks',
  steps: [
    `CREATE TABLE webhooks (
       number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
       id uuid NOT NULL UNIQUE,
       url text NOT NULL,
       description text NOT NULL,
       -- JSON.
       types text NOT NULL,
       tags text NOT NULL,
       secret text NOT NULL,
       previous_secret text,
       previous_secret_until timestamptz,
       disabled_reason text,
       position bigint NOT NULL,
       revision integer NOT NULL DEFAULT 1,
       failing_since timestamptz,
       last_error text,
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL
     ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

     -- One row for each event that was sent.
     CREATE TABLE webhook_deliveries (
       webhook_id uuid NOT NULL,
       position bigint NOT NULL,
       event_id uuid NOT NULL,
       type text NOT NULL,
       subject text NOT NULL,
       state text NOT NULL,
       attempts integer NOT NULL,
       http_status integer,
       error text,
       duration_ms double precision NOT NULL,
       first_attempt_at timestamptz NOT NULL,
       last_attempt_at timestamptz NOT NULL,
       next_attempt_at timestamptz,
       PRIMARY KEY (webhook_id, position)
     );
     CREATE INDEX webhook_deliveries_failing ON webhook_deliveries (webhook_id, position) WHERE state = 'failing';
     CREATE INDEX webhook_deliveries_age ON webhook_deliveries (last_attempt_at);`,
  ],
};
