/** The one front door of the two APIs: nginx where this machine has it, our own router otherwise. */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Environment } from '../../shared/kernel/config.js';
import { nginxConfig } from '../gateway/nginx-config.js';
import { answersHttp } from './ask-port.js';
import type { LocalConfig } from './config.js';
import { findOnPath } from './find-tools.js';
import { foldersIn } from './folders.js';
import { LaunchError } from './launch-error.js';
import type { OpenFolder } from './open-folder.js';
import { portOf, portVariable } from './ports.js';
import { instancesOf } from './processes.js';
import type { Command, Program } from './program.js';
import { putAsideLongLog } from './spawn-detached.js';

const ROUTER = 'deploy/gateway/main.js';
const HOST = '127.0.0.1';
/** Where systems keep servers; the PATH of a user who is not root often leaves these out. */
const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/sbin'];

export type GatewayDeps = {
  readonly config: LocalConfig;
  readonly environment: Environment;
  readonly compiled: string;
  /** nginx's workers belong to another user when root starts it. */
  readonly open: OpenFolder;
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
    putAsideLongLog(join(stateFolder, 'access.log'));
    // Seen from the folder that -p names, so that no name on the way there has to be quoted.
    await writeFile(configuration, nginxConfig({ port, host: HOST, commandApi, queryApi, stateFolder: '.' }));
    // -e: until it has read its configuration it writes to a log that only root may write to.
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
      },
    };
  }

  return {
    name: 'gateway',
    kind: 'gateway',
    port,
    portVariable: portVariable('gateway'),
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
