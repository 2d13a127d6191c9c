/** The nginx of this machine, where there is one: checks a configuration, or runs it as a child of the tests. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { nginxConfig, type NginxOptions } from '../../deploy/gateway/nginx-config.js';
import { freePort } from './free-port.js';
import { createTempFolder } from './temp-folder.js';
import { until } from './until.js';

/** Debian keeps it where the PATH of a person who is not root does not lead. */
const FOLDERS = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

/** Null where the machine has none. */
export const NGINX: string | null = FOLDERS.map((folder) => join(folder, 'nginx')).find(isExecutable) ?? null;

export type RunningNginx = {
  readonly url: string;
  readonly logs: () => Promise<string>;
  readonly close: () => Promise<void>;
};

/** Rejects with nginx's own words when it does not take the configuration. */
export async function checkNginxConfig(program: string, options: Omit<NginxOptions, 'stateFolder'>): Promise<void> {
  const { file, folder } = await placeConfig(options);
  try {
    await promisify(execFile)(program, ['-t', '-q', '-c', file, '-e', 'stderr']);
  } finally {
    await folder.remove();
  }
}

/** On a free port of the loopback address; resolves when it accepts. */
export async function startNginx(
  program: string,
  options: Omit<NginxOptions, 'stateFolder' | 'port' | 'host'>,
): Promise<RunningNginx> {
  const port = await freePort();
  const { file, folder } = await placeConfig({ ...options, port, host: '127.0.0.1' });
  const child = spawn(program, ['-c', file, '-e', join(folder.path, 'error.log'), '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString('utf8');
  });
  await until('nginx accepts', () => {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}: ${complaint}`);
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
  // Started by root, nginx works as somebody else, who must be able to enter.
  await chmod(folder.path, 0o755);
  const file = join(folder.path, 'nginx.conf');
  await writeFile(file, nginxConfig({ ...options, stateFolder: folder.path }));
  return { file, folder };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket
      .once('connect', () => resolve(true))
      .once('error', () => resolve(false))
      .once('connect', () => socket.destroy());
  });
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
