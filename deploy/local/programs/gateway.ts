/** The gateway of the two APIs: nginx where it is installed, our own router otherwise. */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Environment } from '../../../shared/kernel/config/config.js';
import { nginxConfig } from '../../gateway/nginx-config.js';
import type { LocalConfig } from '../config.js';
import { foldersIn } from '../folders.js';
import { LaunchError } from '../launch-error.js';
import { rotateLog } from '../log-file.js';
import { metricsPort, portOf } from '../ports.js';
import type { AccessibleFolder } from '../setup/accessible-folder.js';
import { findOnPath } from '../setup/find-tools.js';
import { answersHttp } from './port-probe.js';
import { instancesOf } from './processes.js';
import type { Command, Program } from './program.js';

const ROUTER = 'deploy/gateway/main.js';
const HOST = '127.0.0.1';
/** Folders of system servers; the PATH of a user other than root often lacks them. */
const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/sbin'];

export type GatewayDeps = {
  readonly config: LocalConfig;
  readonly environment: Environment;
  readonly compiled: string;
  /** When root starts nginx, its workers run as another user, so nginx keeps its files in this folder. */
  readonly open: AccessibleFolder;
};

export function gateway({ config, environment, compiled, open }: GatewayDeps): Program {
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

  function routerCommand(): Command {
    const urls = (instances: readonly string[]): string => instances.map((instance) => `http://${instance}`).join(',');
    return {
      file: process.execPath,
      arguments: ['--enable-source-maps', join(compiled, ROUTER)],
      environment: {
        ...environment,
        GATEWAY_COMMAND_API_URLS: urls(commandApi),
        GATEWAY_QUERY_API_URLS: urls(queryApi),
        PORT: String(port),
        LISTEN_HOST: HOST,
        ...metricsPort(port, environment),
      },
    };
  }

  return {
    name: 'gateway',
    kind: 'gateway',
    port,
    stopSignal: 'SIGTERM',
    dataFolders: [],
    tools: [],
    install: () => Promise.resolve(),
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
