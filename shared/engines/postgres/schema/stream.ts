/** The table with the record of each event topic. */
import type { Migrations } from '../connection/postgres.js';

export const streamMigrations: Migrations = {
  component: 'stream',
  steps: [
    `CREATE TABLE topic_records (
       topic text PRIMARY KEY,
       generation integer NOT NULL,
       -- The highest known end offset of each partition.
       ends bigint[] NOT NULL,
       -- The number of partitions that Kafka has.
       partitions integer NOT NULL
     ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);`,
  ],
};
