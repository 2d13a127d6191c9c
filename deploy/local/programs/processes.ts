/** Our own processes, each with the configured number of instances, over the local servers. */
import { join } from 'node:path';
import type { Environment } from '../../../shared/kernel/config/config.js';
import { addressesOf, serviceVariables } from '../addresses.js';
import { INSTANCES_LIMIT, type LocalConfig } from '../config.js';
import { metricsPort, portOf } from '../ports.js';
import { isReadyOverHttp } from './port-probe.js';
import type { ProcessRecords } from './process-record.js';
import type { Command, Program } from './program.js';

const ENTRIES = {
  'command-api': 'command-api/main.js',
  relay: 'command-api/relay/main.js',
  projectors: 'projectors/main.js',
  'query-api': 'query-api/main.js',
} as const;
const MIGRATION = 'deploy/commands/migrate/main.js';
const HOST = '127.0.0.1';
/**
 * The default is safe because only this machine reaches the operations that need the token; INTERNAL_API_TOKEN
 * overrides it.
 */
const INTERNAL_TOKEN = 'palimpsest-local';

export type ProcessDeps = {
  readonly config: LocalConfig;
  readonly environment: Environment;
  /** The folder of the compiled sources. */
  readonly compiled: string;
};

export function processes(deps: ProcessDeps): readonly Program[] {
  const names = Object.keys(ENTRIES) as (keyof typeof ENTRIES)[];
  return names.flatMap((name) =>
    Array.from({ length: deps.config.instances }, (_, index) => processOf(name, index + 1, deps)),
  );
}

/** The highest number of recorded instances that run. */
export async function runningInstances(records: ProcessRecords): Promise<number> {
  const counts = Array.from({ length: INSTANCES_LIMIT }, (_, index) => index + 1);
  const names = Object.keys(ENTRIES);
  const isRunning = async (name: string): Promise<boolean> => (await records.findRunning(name)) !== null;
  const running = await Promise.all(
    counts.map(async (count) => (await Promise.all(names.map((name) => isRunning(nameOf(name, count))))).some(Boolean)),
  );
  return running.lastIndexOf(true) + 1;
}

/** The address of every instance of an API, `host:port`. */
export function instancesOf(name: 'command-api' | 'query-api', config: LocalConfig): readonly string[] {
  return Array.from({ length: config.instances }, (_, index) => `${HOST}:${portOf(name, config, index + 1)}`);
}

/** The command that migrates the servers before our processes start. */
export function migration({ config, environment, compiled }: ProcessDeps): Command {
  return nodeCommand(join(compiled, MIGRATION), { ...environment, ...serviceVariables(addressesOf(config)) });
}

function processOf(
  name: keyof typeof ENTRIES,
  instance: number,
  { config, environment, compiled }: ProcessDeps,
): Program {
  const port = portOf(name, config, instance);
  const variables = {
    ...environment,
    ...serviceVariables(addressesOf(config)),
    COMMAND_API_URL: instancesOf('command-api', config)
      .map((instance) => `http://${instance}`)
      .join(','),
    INTERNAL_API_TOKEN: environment['INTERNAL_API_TOKEN'] || INTERNAL_TOKEN,
    PORT: String(port),
    LISTEN_HOST: HOST,
    ...metricsPort(port, environment),
  };
  return {
    name: nameOf(name, instance),
    kind: 'process',
    port,
    stopSignal: 'SIGTERM',
    dataFolders: [],
    tools: [],
    install: () => Promise.resolve(),
    launch: () => Promise.resolve(nodeCommand(join(compiled, ENTRIES[name]), variables)),
    isHealthy: (at) => isReadyOverHttp(at, '/readyz'),
  };
}

function nameOf(name: string, instance: number): string {
  return instance === 1 ? name : `${name}-${instance}`;
}

function nodeCommand(file: string, environment: Environment): Command {
  return { file: process.execPath, arguments: ['--enable-source-maps', file], environment };
}
