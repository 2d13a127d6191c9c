/** Postgres for a process that starts: waited for, with exactly the tables that the process was written for. */
import { keepTrying, type Patience } from '../kernel/keep-trying.js';
import type { Resources } from '../kernel/resources.js';
import { createPostgres } from './create-postgres.js';
import { demandSchema } from './migrate-postgres.js';
import type { Migrations } from './migrations.js';
import type { PostgresConfig } from './postgres-variables.js';
import type { Postgres } from './postgres.js';

export async function openPostgres({
  config,
  rooms,
  resources,
  patience,
}: {
  readonly config: PostgresConfig;
  /** The tables that it uses. */
  readonly rooms: readonly Migrations[];
  readonly resources: Resources;
  readonly patience: Patience;
}): Promise<Postgres> {
  const postgres = resources.add(createPostgres({ config, logger: patience.logger }), (opened) => opened.close());
  await keepTrying(postgresPlace(config), () => demandSchema(postgres, rooms), patience);
  return postgres;
}

/** Where it is, without user and password. */
export function postgresPlace({ url }: PostgresConfig): string {
  const { host, pathname } = new URL(url);
  return `Postgres at ${host}${pathname}`;
}
