/** The simulated Postgres in place of a temporary database, for the contract suites that hold it to the real one. */
import { postgresConfig } from '../../../shared/engines/postgres/connection/postgres-variables.js';
import type { TemporaryPostgres } from '../../support/servers/postgres.js';
import { createDirectWorld } from '../world/direct-world.js';
import { createSimulatedPostgres } from './simulated-postgres.js';
import { createSimulatedServer } from './simulated-server.js';

export function openSimulatedDatabase(): Promise<TemporaryPostgres> {
  const world = createDirectWorld();
  const server = createSimulatedServer(world);
  const openAnother = () => createSimulatedPostgres({ world, server, process: world.startProcess('test') });
  return Promise.resolve({
    postgres: openAnother(),
    config: postgresConfig({ POSTGRES_URL: 'postgres://simulated:5432/simulated' }),
    openAnother,
    remove: () => Promise.resolve(),
  });
}
