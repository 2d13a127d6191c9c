/** The simulated Postgres in place of a temporary database, for the contract suites that hold it to the real one. */
import { postgresConfig } from '../../../shared/engines/postgres/connection/postgres-variables.js';
import type { TemporaryPostgres } from '../../support/servers/postgres.js';
import { createDirectWorld } from '../world/direct-world.js';
import { createSimulatedPostgres } from './simulated-postgres.js';
import { createSimulatedServer, type SimulatedServer } from './simulated-server.js';

export type SimulatedDatabase = TemporaryPostgres & { readonly server: SimulatedServer };

export function openSimulatedDatabase(): Promise<SimulatedDatabase> {
  const world = createDirectWorld();
  const server = createSimulatedServer(world);
  const openAnother = () => createSimulatedPostgres({ world, server, process: world.startProcess('test') });
  return Promise.resolve({
    postgres: openAnother(),
    config: postgresConfig({ POSTGRES_URL: 'postgres://simulated:5432/simulated' }),
    openAnother,
    server,
    remove: () => Promise.resolve(),
  });
}
