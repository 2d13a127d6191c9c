/** Our own processes, with the configured number of instances, and their gateway: nginx, or our own router. */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Environment } from '../../../shared/kernel/config/config.js';
import { nginxConfig } from '../../gateway/nginx-config.js';
import { addressesOf, metricsPort, portOf, serviceVariables } from '../addresses.js';
import { INSTANCES_LIMIT, type LocalConfig } from '../config.js';
import { foldersIn, rotateLog } from '../folders.js';
import type { AccessibleFolder } from '../setup/accessible-folder.js';
import { findOnPath } from '../setup/find-tools.js';
import { answersHttp, isReadyOverHttp } from './port-probe.js';
import type { ProcessRecords } from './process-record.js';
import { type Command, LaunchError, type Program } from './program.js';

const ENTRIES = {
  'command-api': 'command-api/main.js',
  relay: 'command-api/relay/main.js',
  projectors: 'projectors/main.js',
  'query-api': 'query-api/main.js',
} as const;
const COMMANDS = 'deploy/commands/main.js';
const HOST = '127.0.0.1';
/** Safe, because only this machine reaches what needs the token; INTERNAL_API_TOKEN overrides it. */
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

function urlsOf(instances: readonly string[]): string {
  return instances.map((instance) => `http://${instance}`).join(',');
}

/** The command that migrates the servers before our processes start. */
export function migration({ config, environment, compiled }: ProcessDeps): Command {
  const variables = { ...environment, ...serviceVariables(addressesOf(config)) };
  return nodeCommand(join(compiled, COMMANDS), variables, 'migrate');
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
    COMMAND_API_URL: urlsOf(instancesOf('command-api', config)),
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
    launch: () => Promise.resolve(nodeCommand(join(compiled, ENTRIES[name]), variables)),
    isHealthy: (at) => isReadyOverHttp(at, '/readyz'),
  };
}

function nameOf(name: string, instance: number): string {
  return instance === 1 ? name : `${name}-${instance}`;
}

function nodeCommand(file: string, environment: Environment, ...line: readonly string[]): Command {
  return { file: process.execPath, arguments: ['--enable-source-maps', file, ...line], environment };
}

const ROUTER = 'deploy/gateway/main.js';
/** Folders of system servers; the PATH of a user other than root often lacks them. */
const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/sbin'];

/** `open`: when root starts nginx, its workers run as another user, so nginx keeps its files in this folder. */
export function gateway({ config, environment, compiled }: ProcessDeps, open: AccessibleFolder): Program {
  const port = portOf('gateway', config);
  const commandApi = instancesOf('command-api', config);
  const queryApi = instancesOf('query-api', config);

  async function nginxCommand(nginx: string): Promise<Command> {
    const stateFolder = foldersIn(open.path).run('gateway');
    const configuration = join(stateFolder, 'nginx.conf');
    await mkdir(stateFolder, { recursive: true });
    await chmod(stateFolder, 0o755);
    rotateLog(join(stateFolder, 'access.log'));
    // The state folder is relative to the folder of -p, so that no path has to be quoted.
    await writeFile(configuration, nginxConfig({ port, host: HOST, commandApi, queryApi, stateFolder: '.' }));
    // -e: without it, nginx writes to a log that needs root until it has read its configuration.
    return { file: nginx, arguments: ['-e', 'stderr', '-p', stateFolder, '-c', configuration, '-g', 'daemon off;'] };
  }

  const routerCommand = (): Command =>
    nodeCommand(join(compiled, ROUTER), {
      ...environment,
      GATEWAY_COMMAND_API_URLS: urlsOf(commandApi),
      GATEWAY_QUERY_API_URLS: urlsOf(queryApi),
      PORT: String(port),
      LISTEN_HOST: HOST,
      ...metricsPort(port, environment),
    });

  return {
    name: 'gateway',
    kind: 'gateway',
    port,
    stopSignal: 'SIGTERM',
    async launch() {
      if (config.gateway === 'router') return routerCommand();
      const nginx = await findOnPath('nginx', [environment['PATH'] ?? '', ...SYSTEM_FOLDERS].join(delimiter));
      if (nginx !== null) return nginxCommand(nginx);
      if (config.gateway === 'nginx')
        throw new LaunchError('There is no nginx on this machine: install it, or unset LOCAL_GATEWAY');
      return routerCommand();
    },
    isHealthy: answersHttp,
  };
}
