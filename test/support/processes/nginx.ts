/** Checks a configuration with the local nginx, or runs it as a child process. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { nginxConfig, type NginxOptions } from '../../../deploy/gateway/nginx-config.js';
import { until } from '../checks/until.js';
import { createTempFolder } from '../fixtures/temp-folder.js';
import { freePort } from './free-port.js';
import { accepts, findProgram } from './programs.js';

/** The path of nginx, or null if the machine has none. */
export const NGINX: string | null = findProgram('nginx');

export type RunningNginx = {
  readonly url: string;
  readonly logs: () => Promise<string>;
  readonly close: () => Promise<void>;
};

/** Rejects with nginx's own message if the configuration is invalid. */
export async function checkNginxConfig(program: string, options: Omit<NginxOptions, 'stateFolder'>): Promise<void> {
  const { file, folder } = await placeConfig(options);
  try {
    await promisify(execFile)(program, ['-t', '-q', '-c', file, '-e', 'stderr']);
  } finally {
    await folder.remove();
  }
}

/** Starts nginx on a free loopback port and resolves when it accepts connections. */
export async function startNginx(
  program: string,
  options: Omit<NginxOptions, 'stateFolder' | 'port' | 'host'>,
): Promise<RunningNginx> {
  const port = await freePort();
  const { file, folder } = await placeConfig({ ...options, port, host: '127.0.0.1' });
  const child = spawn(program, ['-c', file, '-e', join(folder.path, 'error.log'), '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  await until('nginx accepts connections', () => {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}: ${stderr}`);
    return accepts(port);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    logs: async () =>
      (await Promise.all(['access.log', 'error.log'].map((name) => readFile(join(folder.path, name), 'utf8')))).join(
        '',
      ),
    close: async () => {
      const ended = child.exitCode === null ? once(child, 'exit') : undefined;
      child.kill('SIGTERM');
      await ended;
      await folder.remove();
    },
  };
}

async function placeConfig(options: Omit<NginxOptions, 'stateFolder'>) {
  const folder = await createTempFolder();
  // When root starts nginx, its workers run as another user, who must have access to the folder.
  await chmod(folder.path, 0o755);
  const file = join(folder.path, 'nginx.conf');
  await writeFile(file, nginxConfig({ ...options, stateFolder: folder.path }));
  return { file, folder };
}
