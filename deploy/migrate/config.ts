import { readVariables, type Environment, type Variable } from '../../shared/kernel/config.js';

export const migrateVariables = [
  { name: 'MIGRATE_WAIT_MS', kind: 'integer', minimum: 0, default: '120000', unit: 'ms', description: 'How long `npm run migrate` waits for a server that does not answer yet.' },
] as const satisfies readonly Variable[];

export function migrateConfig(environment: Environment) {
  return { waitMs: readVariables(migrateVariables, environment).MIGRATE_WAIT_MS } as const;
}
